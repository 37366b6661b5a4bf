/** One line of the benchmark: operations per second, next to those of the baseline. */
export type Comparison = {
  readonly name: string
  readonly opsPerSec: number
  readonly baseline: { readonly name: string; readonly opsPerSec: number }
  /** The speed relative to the baseline. */
  readonly ratio: number
}

/** Repeatable work. One call may count as several operations. */
export type Work = {
  readonly name: string
  readonly operations?: number
  run(): unknown
}

const rounds = 7
/** Milliseconds of warm-up, until the engine has compiled the code. */
const warmUp = 3_000

/**
 * Runs two pieces of work in turns, so that other load affects both, and takes the median round of each.
 *
 * @param milliseconds - how long each of them runs in a round, at least once
 */
export async function compare(
  name: string,
  ours: Work,
  baseline: Work,
  milliseconds = 150,
): Promise<Comparison> {
  await speedOf(ours, warmUp)
  await speedOf(baseline, milliseconds)
  const [own, other]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round += 1) {
    own.push(await speedOf(ours, milliseconds))
    other.push(await speedOf(baseline, milliseconds))
  }
  const [opsPerSec, opsPerSecOfBaseline] = [median(own), median(other)]
  return {
    name,
    opsPerSec: rounded(opsPerSec),
    baseline: { name: baseline.name, opsPerSec: rounded(opsPerSecOfBaseline) },
    ratio: rounded(median(own.map((speed, round) => speed / (other[round] ?? speed)))),
  }
}

async function speedOf({ run, operations = 1 }: Work, milliseconds: number): Promise<number> {
  const started = performance.now()
  let done = 0
  do {
    const result = run()
    // Awaiting a value that is already there would be measured too.
    if (result instanceof Promise) await result
    done += operations
  } while (performance.now() - started < milliseconds)
  return (done / (performance.now() - started)) * 1_000
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
}

/** Such a measurement is not accurate beyond three digits. */
function rounded(value: number): number {
  return Number(value.toPrecision(3))
}
