import type { Answer } from '../office/office.ts'
import type { Tone } from './line.ts'

/** A Golem as the store lists it. */
export type RosterRow = Answer<'roster'>['golems'][number]

/** A Golem as it was looked at, on the chain too. */
export type Seen = Answer<'status'>

/** A Golem on the screen. */
export type Watched = RosterRow & {
  /** Its vitality from 0 to 100, oldest first. */
  readonly history: readonly number[]
  /** It ticked since the history's last value. */
  readonly isBehind: boolean
  /** How it was when it was last looked at closely; `at` is in milliseconds. */
  readonly seen: { readonly at: number; readonly status: Seen } | undefined
}

/** Something that happened, in a sentence. */
type News = {
  readonly sequence: number
  readonly at: number
  readonly golem: string
  readonly sentence: string
  readonly tone: Tone | undefined
}

/** What can be done to a Golem here. */
export type Act = 'feed' | 'adjust' | 'revoke' | 'kill'

/** Whether what is shown is of now. */
export type Link =
  | { readonly is: 'connecting' | 'live' }
  /** Nobody answers, and why; it is tried again. */
  | { readonly is: 'waiting'; readonly because: string }

/** What the keys are for. */
type Mode =
  | { readonly is: 'looking' | 'help' }
  | { readonly is: 'asking'; readonly act: Act; readonly golem: string; readonly typed: string }
  /** A strategy was compiled: what would change, before it is signed. */
  | {
      readonly is: 'weighing'
      readonly golem: string
      readonly strategy: string
      readonly changes: readonly string[]
    }

/** All that the screen shows. */
export type WatchState = {
  readonly link: Link
  readonly isListed: boolean
  /** The last event that was in the list when it was read. */
  readonly head: number
  /** The living first, each part by name. */
  readonly golems: readonly Watched[]
  readonly chosen: string | undefined
  /** Oldest first. */
  readonly news: readonly News[]
  readonly mode: Mode
  /** What is being done to a Golem now. */
  readonly work: string | undefined
  /** How the last thing ended, or why a key did nothing. */
  readonly notice: { readonly text: string; readonly tone: Tone } | undefined
  /** It ends once the work is done. */
  readonly isLeaving: boolean
}

/** Before anything is known. */
export const nothingYet: WatchState = {
  link: { is: 'connecting' },
  isListed: false,
  head: 0,
  golems: [],
  chosen: undefined,
  news: [],
  mode: { is: 'looking' },
  work: undefined,
  notice: undefined,
  isLeaving: false,
}

/** The Golem that is chosen. */
export function chosenOf({ golems, chosen }: Pick<WatchState, 'golems' | 'chosen'>): Watched | undefined {
  return golems.find(({ id }) => id === chosen)
}

/** What a Golem is called here. */
export function nameOf({ golems }: Pick<WatchState, 'golems'>, id: string): string {
  return golems.find((golem) => golem.id === id)?.name ?? `${id.slice(0, 10)}…`
}
