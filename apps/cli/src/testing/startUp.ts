import { type BardoLine, type RunningBardo, startBardo } from './startBardo.ts'

/** A running `bardo up`. */
export type Up = RunningBardo

/** Starts `bardo up --json` on a free port. */
export function startUp(home: string, ...words: readonly string[]): Up {
  return startBardo(['up', '--port', '0', '--home', home, ...words])
}

/** Matches the line of an event. */
export const isEvent = (name: string, golem?: string) => (line: BardoLine) =>
  line['name'] === name && (golem === undefined || line['golem'] === golem)
