import './reactProduction.ts'
import { render } from 'ink'
import { createElement } from 'react'
import type { Office } from '../rpc/office.ts'
import { followOffice } from './followOffice.ts'
import { ascii, unicode } from './glyphs.ts'
import type { WatchCommand } from './handleKey.ts'
import { layoutOf } from './layout.ts'
import { runCommand } from './runCommand.ts'
import { Screen } from './Screen.ts'
import { pageOf } from './view.ts'
import { createWatchStore } from './watchStore.ts'

/** The options of the screen. */
export type ScreenOptions = {
  connect(): Promise<Office | undefined>
  readonly ownerKey?: string
  /** The Golem to select first, by id. */
  readonly chosen: string | undefined
  readonly isUnicode: boolean
  readonly hasColour: boolean
  readonly signal: AbortSignal
}

/** Runs the screen until the user quits. Uses the alternate screen, so that the terminal's content comes back. */
export async function runScreen(options: ScreenOptions): Promise<void> {
  const { connect, isUnicode, hasColour } = options
  const leaving = new AbortController()
  const signal = AbortSignal.any([options.signal, leaving.signal])
  const ports = {
    connect,
    tell: (happening: Parameters<typeof store.tell>[0]) => store.tell(happening),
    ...(options.ownerKey !== undefined && { ownerKey: options.ownerKey }),
  }
  const onCommand = (command: WatchCommand) =>
    command.type === 'quit' ? leaving.abort() : void runCommand(command, ports)
  const store = createWatchStore(onCommand, options.chosen)
  const shown = () => {
    const state = store.state()
    const { columns = 80, rows = 24 } = process.stdout
    const layout = layoutOf({ columns, rows }, state.golems.length)
    const page = layout ? pageOf(state, layout.pageSize).golems.map(({ id }) => id as string) : []
    return state.chosen === undefined ? page : [state.chosen, ...page.filter((id) => id !== state.chosen)]
  }
  const screen = render(createElement(Screen, { store, glyphs: isUnicode ? unicode : ascii, hasColour }), {
    alternateScreen: true,
    exitOnCtrlC: false,
    incrementalRendering: true,
    // The caller has checked for a terminal. Ink's own check would disable keys in a CI with a terminal.
    interactive: true,
  })
  const end = () => screen.unmount()
  signal.addEventListener('abort', end)
  const exited = screen.waitUntilExit().finally(() => leaving.abort())
  await Promise.all([exited, followOffice({ ...ports, shown, now: Date.now, signal })])
}
