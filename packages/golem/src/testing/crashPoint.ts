/**
 * How a process is killed. `at` lists the points that it must pass in order; the last one kills it. `asleep`
 * suspends it
 * there (SIGSTOP) while another process continues the life: it resumes, finishes its tick and is killed.
 * `moment` counts
 * all points; `timer` is a kill from outside, milliseconds after the Golem started.
 */
export type CrashPoint =
  | {
      readonly type: 'at'
      readonly name: string
      readonly path: readonly string[]
      /** What the node does with the transaction that was just broadcast: it is not mined at once. */
      readonly broadcast?: 'minedLater' | 'dropped'
    }
  | { readonly type: 'asleep'; readonly name: string; readonly path: readonly string[] }
  | { readonly type: 'moment'; readonly number: number }
  | { readonly type: 'timer'; readonly milliseconds: number }

/** The name of a crash point in a report. */
export function crashPointName(crashPoint: CrashPoint): string {
  if (crashPoint.type === 'at') return crashPoint.name
  if (crashPoint.type === 'asleep') return `asleep, ${crashPoint.name}`
  return crashPoint.type === 'moment' ? 'any moment' : 'any millisecond'
}
