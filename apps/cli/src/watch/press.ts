import { type Act, chosenOf, nameOf, type WatchState } from './watchState.ts'

/** A key, by its name; or what was typed. */
export type Key =
  | {
      readonly is:
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
  | { readonly is: 'text'; readonly text: string }

/** What a key asks for beyond the screen. */
export type Wish =
  | { readonly is: 'quit' }
  | { readonly is: 'feed' | 'revoke' | 'kill'; readonly golem: string }
  | { readonly is: 'compile'; readonly golem: string; readonly path: string }
  | { readonly is: 'adjust'; readonly golem: string; readonly strategy: string }

/** What a key leads to. */
export type Pressed = { readonly state: WatchState; readonly wish?: Wish }

/** No path and no name is longer. */
const mostTyped = 1_000

/**
 * What a key does. Nothing is done to a Golem without a question that is answered first.
 *
 * @param pageSize - how many Golems are shown at once
 */
export function press(state: WatchState, key: Key, pageSize: number): Pressed {
  if (key.is === 'interrupt') return leave(state)
  switch (state.mode.is) {
    case 'looking':
      return look({ ...state, notice: undefined }, key, pageSize)
    case 'help':
      return key.is === 'text' && key.text === 'q' ? leave(state) : { state: looking(state) }
    case 'asking':
      return reply(state, state.mode, key)
    case 'weighing': {
      const { golem, strategy } = state.mode
      const isYes = answerOf(key)
      if (isYes === undefined) return { state }
      return isYes
        ? { state: looking(state), wish: { is: 'adjust', golem, strategy } }
        : { state: nothingDone(state) }
    }
  }
}

const looking = (state: WatchState): WatchState => ({ ...state, mode: { is: 'looking' } })
const nothingDone = (state: WatchState): WatchState => ({
  ...looking(state),
  notice: { text: 'Nothing was done.', tone: 'quiet' },
})

/** What was begun is ended first, unless somebody insists. */
function leave(state: WatchState): Pressed {
  if (state.work === undefined || state.isLeaving) return { state, wish: { is: 'quit' } }
  return { state: { ...looking(state), isLeaving: true } }
}

function look(state: WatchState, key: Key, pageSize: number): Pressed {
  switch (key.is) {
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
  const place = state.golems.findIndex(({ id }) => id === state.chosen)
  const next = Math.min(state.golems.length - 1, Math.max(0, place + by))
  return { ...state, chosen: state.golems[next]?.id }
}

const acts: Readonly<Record<string, Act>> = { f: 'feed', a: 'adjust', r: 'revoke', K: 'kill' }

function typed(state: WatchState, text: string): Pressed {
  // A held key may come in one piece. Anything else that does was pasted, and is no command.
  if (/^[jk]+$/.test(text))
    return { state: [...text].reduce((now, letter) => move(now, letter === 'j' ? 1 : -1), state) }
  if (text === 'q') return leave(state)
  if (text === '?') return { state: { ...state, mode: { is: 'help' } } }
  const act = Object.hasOwn(acts, text) ? acts[text] : undefined
  return { state: act ? begin(state, act) : state }
}

function begin(state: WatchState, act: Act): WatchState {
  const golem = chosenOf(state)
  const say = (text: string): WatchState => ({ ...state, notice: { text, tone: 'warn' } })
  if (!golem) return say('There is nobody to do that to.')
  if (state.work !== undefined) return say('One thing at a time.')
  if (state.link.is !== 'live') return say('Nobody answers now: wait until it is live again.')
  if (golem.status === 'dead' && act !== 'revoke') return say(`${golem.name} is dead.`)
  return { ...state, mode: { is: 'asking', act, golem: golem.id, typed: '' } }
}

function reply(state: WatchState, mode: WatchState['mode'] & { is: 'asking' }, key: Key): Pressed {
  const { act, golem, typed: before } = mode
  if (key.is === 'escape') return { state: nothingDone(state) }
  if (act === 'feed' || act === 'revoke') {
    const isYes = answerOf(key)
    if (isYes === undefined) return { state }
    return isYes ? { state: looking(state), wish: { is: act, golem } } : { state: nothingDone(state) }
  }
  const write = (text: string): Pressed => ({
    state: { ...state, mode: { ...mode, typed: text.slice(0, mostTyped) } },
  })
  if (key.is === 'backspace') return write([...before].slice(0, -1).join(''))
  if (key.is === 'text') return write(before + key.text)
  if (key.is !== 'enter') return { state }
  if (act === 'adjust')
    return before.trim() === ''
      ? { state: nothingDone(state) }
      : { state: looking(state), wish: { is: 'compile', golem, path: before.trim() } }
  return before === nameOf(state, golem)
    ? { state: looking(state), wish: { is: 'kill', golem } }
    : {
        state: {
          ...looking(state),
          notice: { text: 'That is not its name. Nothing was done.', tone: 'warn' },
        },
      }
}

/** Yes, no, or neither. */
function answerOf(key: Key): boolean | undefined {
  if (key.is === 'escape') return false
  if (key.is !== 'text') return undefined
  if (key.text === 'y' || key.text === 'Y') return true
  return key.text === 'n' || key.text === 'N' || key.text === 'q' ? false : undefined
}
