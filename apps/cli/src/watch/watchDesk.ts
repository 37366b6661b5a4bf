import { type Happening, happen } from './happen.ts'
import { type Key, press, type Wish } from './press.ts'
import { nothingYet, type WatchState } from './watchState.ts'

/** Holds the state, and tells whoever draws it that it changed: once for all that comes together. */
export type WatchDesk = {
  state(): WatchState
  tell(happening: Happening): void
  press(key: Key, pageSize: number): void
  subscribe(listener: () => void): () => void
}

/** A desk. What keys ask for beyond the screen goes to `onWish`; a desk that is left once its work is done quits. */
export function createWatchDesk(onWish: (wish: Wish) => void, chosen: string | undefined): WatchDesk {
  let state: WatchState = { ...nothingYet, chosen }
  let isTold = true
  const listeners = new Set<() => void>()
  const set = (next: WatchState) => {
    state = next
    if (!isTold) return
    isTold = false
    setImmediate(() => {
      isTold = true
      for (const listener of listeners) listener()
    })
  }
  return {
    state: () => state,
    tell(happening) {
      set(happen(state, happening))
      if (state.isLeaving && state.work === undefined) onWish({ is: 'quit' })
    },
    press(key, pageSize) {
      const pressed = press(state, key, pageSize)
      set(pressed.state)
      if (pressed.wish) onWish(pressed.wish)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
