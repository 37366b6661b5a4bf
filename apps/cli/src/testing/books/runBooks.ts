import { type BooksWorld, openBooksWorld } from './openBooksWorld.ts'
import { runSequence, type SequenceResult } from './runSequence.ts'
import { type Step, sequenceToText } from './step.ts'

/** A sequence to run. */
export type Sequence = { readonly seed: number; readonly steps: readonly Step[] }

/** A sequence whose books do not balance, shortened. */
type Failure = Sequence & { readonly problems: readonly string[]; readonly shortest: readonly Step[] }

/** The result of all sequences. */
export type Books = {
  /** The number of sequences that ran. */
  readonly ran: number
  readonly failures: readonly Failure[]
  readonly counts: ReadonlyMap<string, number>
}

/** The most shorter sequences that are tried for a failure. */
const mostAttempts = 40

/** Runs sequences one after the other. A failing one is shortened and printed with the command that repeats it. */
export async function runBooks(
  sequences: readonly Sequence[],
  {
    log = () => {},
    mostFailures = 5,
    shortens = true,
  }: {
    readonly log?: (line: string) => void
    readonly mostFailures?: number
    /** Whether a failing sequence is shortened. */
    readonly shortens?: boolean
  } = {},
): Promise<Books> {
  const failures: Failure[] = []
  let ran = 0
  const counts = new Map<string, number>()
  const began = Date.now()
  let here: BooksWorld | undefined
  try {
    for (const { seed, steps } of sequences) {
      here ??= await openBooksWorld()
      const sequenceBegan = Date.now()
      ran += 1
      const result = await runSequence(here, steps)
      for (const [what, times] of result.counts) counts.set(what, (counts.get(what) ?? 0) + times)
      log(
        `${result.at === undefined ? '✓' : '✗'} ${seed}: ${steps.length} steps in ${Date.now() - sequenceBegan} ms`,
      )
      if (result.at === undefined) continue
      // A failed sequence leaves state behind that would affect the next one.
      await here[Symbol.asyncDispose]()
      here = undefined
      for (const problem of result.problems) log(`  ${problem}`)
      const failed = steps.slice(0, result.at + 1)
      const shortest = shortens ? await shorten(failed) : failed
      failures.push({ seed, steps, problems: result.problems, shortest })
      log(`  Repeat it: npm run test:books -- --seed ${seed}`)
      log(
        `  Or the shortest sequence that also fails: npm run test:books -- --steps "${sequenceToText(shortest)}"`,
      )
      if (failures.length >= mostFailures) break
    }
  } finally {
    await here?.[Symbol.asyncDispose]()
  }
  log(
    `${sequences.length} sequences, ${failures.length} failures, ${((Date.now() - began) / 1_000).toFixed(0)} s`,
  )
  for (const [what, times] of [...counts].toSorted()) log(`  ${what}: ${times}`)
  return { ran, failures, counts }
}

/** Removes one step after the other, as long as the rest still fails. */
async function shorten(steps: readonly Step[]): Promise<readonly Step[]> {
  let shortest = steps
  let attempts = 0
  for (let at = shortest.length - 1; at > 0 && attempts < mostAttempts; at -= 1, attempts += 1) {
    const shorter = shortest.filter((_, index) => index !== at)
    const { at: failedAt } = await tryAlone(shorter)
    if (failedAt !== undefined) shortest = shorter.slice(0, failedAt + 1)
  }
  return shortest
}

async function tryAlone(steps: readonly Step[]): Promise<SequenceResult> {
  await using here = await openBooksWorld()
  return await runSequence(here, steps)
}
