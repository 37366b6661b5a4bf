import { StepMissing } from './createRemoteOwner.ts'

type Results<Parts extends readonly (() => Promise<unknown>)[]> = {
  -readonly [At in keyof Parts]: Awaited<ReturnType<Parts[At]>>
}

/**
 * Runs parts one after another, so that an owner is asked in a fixed order. A part without an answer does not stop the parts
 * after it: the owner is asked for all of them at once. A wrong answer does: nothing after it is sent.
 */
export async function askInOrder<const Parts extends readonly (() => Promise<unknown>)[]>(
  parts: Parts,
): Promise<Results<Parts>> {
  const results: unknown[] = []
  let missing: StepMissing | undefined
  for (const part of parts)
    try {
      results.push(await part())
    } catch (error) {
      if (!(error instanceof StepMissing)) throw error
      missing = error
    }
  if (missing) throw missing
  return results as Results<Parts>
}
