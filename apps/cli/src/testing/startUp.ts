import { type BardoLine, type RunningBardo, startBardo } from './startBardo.ts'

/** A running `bardo up`. */
export type Up = RunningBardo

/** Starts `bardo up --json` on any port. */
export function startUp(home: string, ...words: readonly string[]): Up {
  return startBardo(['up', '--port', '0', '--home', home, ...words])
}

/** Whether a line tells of an event. */
export const isEvent = (name: string, golem?: string) => (line: BardoLine) =>
  line['name'] === name && (golem === undefined || line['golem'] === golem)
