import { StepMissing } from './createRemoteOwner.ts'

/**
 * Runs parts one after another, so that an owner is asked in a fixed order. A part without an answer does not stop the parts
 * after it: the owner is asked for all of them at once. A wrong answer does: nothing after it is sent.
 */
export async function askInOrder(parts: readonly (() => Promise<unknown>)[]): Promise<void> {
  let missing: StepMissing | undefined
  for (const part of parts)
    try {
      await part()
    } catch (error) {
      if (!(error instanceof StepMissing)) throw error
      missing = error
    }
  if (missing) throw missing
}
