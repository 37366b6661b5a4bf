/**
 * How a process comes to its end. `at` names the points that it has to pass, in this order, the last of which kills it;
 * `asleep` is the same for a machine that falls asleep there (SIGSTOP) while another process goes on with the life: it
 * wakes up, finishes its tick and is killed. `moment` counts all points; `timer` is a kill from outside, so many
 * milliseconds after the Golem began to live.
 */
export type Doom =
  | {
      readonly is: 'at'
      readonly name: string
      readonly path: readonly string[]
      /** What the node does with the transaction that was just broadcast: nothing is mined at once. */
      readonly broadcast?: 'minedLater' | 'dropped'
    }
  | { readonly is: 'asleep'; readonly name: string; readonly path: readonly string[] }
  | { readonly is: 'moment'; readonly number: number }
  | { readonly is: 'timer'; readonly milliseconds: number }

/** What a doom is called in a report. */
export function doomName(doom: Doom): string {
  if (doom.is === 'at') return doom.name
  if (doom.is === 'asleep') return `asleep, ${doom.name}`
  return doom.is === 'moment' ? 'any moment' : 'any millisecond'
}
