import { type Act, chosenOf, nameOf, type WatchState } from './watchState.ts'

/** A named key, or typed text. */
export type Key =
  | {
      readonly type:
        | 'up'
        | 'down'
        | 'pageUp'
        | 'pageDown'
        | 'home'
        | 'end'
        | 'enter'
        | 'escape'
        | 'backspace'
        | 'interrupt'
    }
  | { readonly type: 'text'; readonly text: string }

/** A command that a key starts. */
export type WatchCommand =
  | { readonly type: 'quit' }
  | { readonly type: 'feed' | 'revoke' | 'kill'; readonly golem: string }
  | { readonly type: 'compile'; readonly golem: string; readonly path: string }
  | { readonly type: 'adjust'; readonly golem: string; readonly strategy: string }

/** The result of a key: the new state, and a command to run. */
export type KeyResult = { readonly state: WatchState; readonly command?: WatchCommand }

/** The longest typed text: a path or a name. */
const mostTyped = 1_000

/**
 * Handles a key. Every command to a Golem needs a confirmation first.
 *
 * @param pageSize - the number of Golems on a page
 */
export function handleKey(state: WatchState, key: Key, pageSize: number): KeyResult {
  if (key.type === 'interrupt') return leave(state)
  switch (state.mode.type) {
    case 'looking':
      return look({ ...state, notice: undefined }, key, pageSize)
    case 'help':
      return key.type === 'text' && key.text === 'q' ? leave(state) : { state: looking(state) }
    case 'asking':
      return reply(state, state.mode, key)
    case 'weighing': {
      const { golem, strategy } = state.mode
      const isYes = answerOf(key)
      if (isYes === undefined) return { state }
      return isYes
        ? { state: looking(state), command: { type: 'adjust', golem, strategy } }
        : { state: nothingDone(state) }
    }
  }
}

const looking = (state: WatchState): WatchState => ({ ...state, mode: { type: 'looking' } })
const nothingDone = (state: WatchState): WatchState => ({
  ...looking(state),
  notice: { text: 'Cancelled. Nothing was done.', tone: 'quiet' },
})

/** Waits for a running command before it quits; a second time quits at once. */
function leave(state: WatchState): KeyResult {
  if (state.work === undefined || state.isLeaving) return { state, command: { type: 'quit' } }
  return { state: { ...looking(state), isLeaving: true } }
}

function look(state: WatchState, key: Key, pageSize: number): KeyResult {
  switch (key.type) {
    case 'up':
      return { state: move(state, -1) }
    case 'down':
      return { state: move(state, 1) }
    case 'pageUp':
      return { state: move(state, -pageSize) }
    case 'pageDown':
      return { state: move(state, pageSize) }
    case 'home':
      return { state: move(state, -state.golems.length) }
    case 'end':
      return { state: move(state, state.golems.length) }
    case 'text':
      return typed(state, key.text)
    default:
      return { state }
  }
}

function move(state: WatchState, by: number): WatchState {
  const index = state.golems.findIndex(({ id }) => id === state.chosen)
  const next = Math.min(state.golems.length - 1, Math.max(0, index + by))
  return { ...state, chosen: state.golems[next]?.id }
}

const acts: Readonly<Record<string, Act>> = { f: 'feed', a: 'adjust', r: 'revoke', K: 'kill' }

function typed(state: WatchState, text: string): KeyResult {
  // A held key may arrive as one text. Any other longer text was pasted, and is not a command.
  if (/^[jk]+$/.test(text))
    return { state: [...text].reduce((now, letter) => move(now, letter === 'j' ? 1 : -1), state) }
  if (text === 'q') return leave(state)
  if (text === '?') return { state: { ...state, mode: { type: 'help' } } }
  const act = Object.hasOwn(acts, text) ? acts[text] : undefined
  return { state: act ? begin(state, act) : state }
}

function begin(state: WatchState, act: Act): WatchState {
  const golem = chosenOf(state)
  const say = (text: string): WatchState => ({ ...state, notice: { text, tone: 'warn' } })
  if (!golem) return say('No Golem is selected.')
  if (state.work !== undefined) return say('Another command is still running.')
  if (state.link.type !== 'live') return say('Not connected. Wait until the screen shows "live" again.')
  if (golem.status === 'dead' && act !== 'revoke') return say(`${golem.name} is dead.`)
  return { ...state, mode: { type: 'asking', act, golem: golem.id, typed: '' } }
}

function reply(state: WatchState, mode: WatchState['mode'] & { type: 'asking' }, key: Key): KeyResult {
  const { act, golem, typed: before } = mode
  if (key.type === 'escape') return { state: nothingDone(state) }
  if (act === 'feed' || act === 'revoke') {
    const isYes = answerOf(key)
    if (isYes === undefined) return { state }
    return isYes ? { state: looking(state), command: { type: act, golem } } : { state: nothingDone(state) }
  }
  const write = (text: string): KeyResult => ({
    state: { ...state, mode: { ...mode, typed: text.slice(0, mostTyped) } },
  })
  if (key.type === 'backspace') return write([...before].slice(0, -1).join(''))
  if (key.type === 'text') return write(before + key.text)
  if (key.type !== 'enter') return { state }
  if (act === 'adjust')
    return before.trim() === ''
      ? { state: nothingDone(state) }
      : { state: looking(state), command: { type: 'compile', golem, path: before.trim() } }
  return before === nameOf(state, golem)
    ? { state: looking(state), command: { type: 'kill', golem } }
    : {
        state: {
          ...looking(state),
          notice: { text: 'Cancelled: the name does not match. Nothing was done.', tone: 'warn' },
        },
      }
}

/** Yes, no, or neither. */
function answerOf(key: Key): boolean | undefined {
  if (key.type === 'escape') return false
  if (key.type !== 'text') return undefined
  if (key.text === 'y' || key.text === 'Y') return true
  return key.text === 'n' || key.text === 'N' || key.text === 'q' ? false : undefined
}
