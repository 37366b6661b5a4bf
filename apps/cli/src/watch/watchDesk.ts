import { type Happening, happen } from './happen.ts'
import { type Key, press, type Wish } from './press.ts'
import { nothingYet, type WatchState } from './watchState.ts'

/** How soon what happens is drawn: all that comes until then is drawn together. A key is answered at once. */
const frameMs = 100

/** Holds the state, and tells whoever draws it that it changed. */
export type WatchDesk = {
  state(): WatchState
  tell(happening: Happening): void
  press(key: Key, pageSize: number): void
  subscribe(listener: () => void): () => void
}

/** A desk. What keys ask for beyond the screen goes to `onWish`; a desk that is left once its work is done quits. */
export function createWatchDesk(onWish: (wish: Wish) => void, chosen: string | undefined): WatchDesk {
  let state: WatchState = { ...nothingYet, chosen }
  let frame: NodeJS.Timeout | undefined
  const listeners = new Set<() => void>()
  const draw = () => {
    clearTimeout(frame)
    frame = undefined
    for (const listener of listeners) listener()
  }
  return {
    state: () => state,
    tell(happening) {
      state = happen(state, happening)
      frame ??= setTimeout(draw, frameMs)
      if (state.isLeaving && state.work === undefined) onWish({ is: 'quit' })
    },
    press(key, pageSize) {
      const pressed = press(state, key, pageSize)
      state = pressed.state
      draw()
      if (pressed.wish) onWish(pressed.wish)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
