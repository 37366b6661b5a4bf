import { handleKey, type Key, type WatchCommand } from './handleKey.ts'
import { reduceEvent, type WatchChange } from './reduceEvent.ts'
import { nothingYet, type WatchState } from './watchState.ts'

/** Changes within this time are drawn together. A key is drawn at once. */
const frameMs = 100

/** Holds the state, and notifies its subscribers of changes. */
export type WatchStore = {
  state(): WatchState
  tell(happening: WatchChange): void
  press(key: Key, pageSize: number): void
  subscribe(listener: () => void): () => void
}

/** Creates a store. Commands from keys go to `onCommand`. If the user quits during a command, `quit` follows after it. */
export function createWatchStore(
  onCommand: (command: WatchCommand) => void,
  chosen: string | undefined,
): WatchStore {
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
      state = reduceEvent(state, happening)
      frame ??= setTimeout(draw, frameMs)
      if (state.isLeaving && state.work === undefined) onCommand({ type: 'quit' })
    },
    press(key, pageSize) {
      const pressed = handleKey(state, key, pageSize)
      state = pressed.state
      draw()
      if (pressed.command) onCommand(pressed.command)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
