import type { Answer } from '../rpc/office.ts'
import type { Tone } from './line.ts'

/** A Golem's row in the store. */
export type RosterRow = Answer<'roster'>['golems'][number]

/** The status of a Golem, with data from the chain. */
export type Seen = Answer<'status'>

/** A Golem on the screen. */
export type Watched = RosterRow & {
  /** Its vitality from 0 to 100, oldest first. */
  readonly history: readonly number[]
  /** It has ticked since the last value of the history. */
  readonly isBehind: boolean
  /** Its last status; `at` is in milliseconds. */
  readonly seen: { readonly at: number; readonly status: Seen } | undefined
}

/** A line of the activity panel. */
type News = {
  readonly sequence: number
  readonly at: number
  readonly golem: string
  readonly sentence: string
  readonly tone: Tone | undefined
}

/** A command for a Golem. */
export type Act = 'feed' | 'adjust' | 'revoke' | 'kill'

/** The state of the connection. */
export type Link =
  | { readonly type: 'connecting' | 'live' }
  /** Not connected, with the reason; it reconnects. */
  | { readonly type: 'waiting'; readonly because: string }

/** What keys do now. */
type Mode =
  | { readonly type: 'looking' | 'help' }
  | { readonly type: 'asking'; readonly act: Act; readonly golem: string; readonly typed: string }
  /** A strategy was compiled: shows the changes before it is signed. */
  | {
      readonly type: 'weighing'
      readonly golem: string
      readonly strategy: string
      readonly changes: readonly string[]
    }

/** Everything that the screen shows. */
export type WatchState = {
  readonly link: Link
  readonly isListed: boolean
  /** The last event that the list included when it was read. */
  readonly head: number
  /** Living Golems first, each group by name. */
  readonly golems: readonly Watched[]
  readonly chosen: string | undefined
  /** Oldest first. */
  readonly news: readonly News[]
  readonly mode: Mode
  /** The command that is running. */
  readonly work: string | undefined
  /** The result of the last command, or why a key had no effect. */
  readonly notice: { readonly text: string; readonly tone: Tone } | undefined
  /** Quits when the running command is done. */
  readonly isLeaving: boolean
}

/** The state before the first connection. */
export const nothingYet: WatchState = {
  link: { type: 'connecting' },
  isListed: false,
  head: 0,
  golems: [],
  chosen: undefined,
  news: [],
  mode: { type: 'looking' },
  work: undefined,
  notice: undefined,
  isLeaving: false,
}

/** The selected Golem. */
export function chosenOf({ golems, chosen }: Pick<WatchState, 'golems' | 'chosen'>): Watched | undefined {
  return golems.find(({ id }) => id === chosen)
}

/** The name of a Golem, or a short id. */
export function nameOf({ golems }: Pick<WatchState, 'golems'>, id: string): string {
  return golems.find((golem) => golem.id === id)?.name ?? `${id.slice(0, 10)}…`
}
