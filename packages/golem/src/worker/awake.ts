/** Since when a process has been running without a pause, as of its last check. Milliseconds. */
export type Awake = { readonly since: number; readonly at: number }

/**
 * Updates it at another check. A check more than `longestGapMs` after the previous one, or before it, means
 * that the process
 * was suspended (a closed laptop, a paused machine, a blocked process): it saw nothing of the time in
 * between.
 */
export function stayAwake(previous: Awake | undefined, now: number, longestGapMs: number): Awake {
  const gap = previous ? now - previous.at : Number.NaN
  return previous && gap >= 0 && gap <= longestGapMs
    ? { since: previous.since, at: now }
    : { since: now, at: now }
}
