import './leanReact.ts'
import { render } from 'ink'
import { createElement } from 'react'
import type { Office } from '../office/office.ts'
import { carryOut } from './carryOut.ts'
import { followOffice } from './followOffice.ts'
import { ascii, drawn } from './glyphs.ts'
import { layoutOf } from './layout.ts'
import type { Wish } from './press.ts'
import { Screen } from './Screen.ts'
import { pageOf } from './view.ts'
import { createWatchDesk } from './watchDesk.ts'

/** How the screen is run. */
export type ScreenOptions = {
  connect(): Promise<Office | undefined>
  readonly ownerKey?: string
  /** Whom to choose at the beginning, by id. */
  readonly chosen: string | undefined
  readonly isUnicode: boolean
  readonly hasColour: boolean
  readonly signal: AbortSignal
}

/** Runs the screen until somebody leaves. What was on the terminal before is there again, however it ends. */
export async function runScreen(options: ScreenOptions): Promise<void> {
  const { connect, isUnicode, hasColour } = options
  const leaving = new AbortController()
  const signal = AbortSignal.any([options.signal, leaving.signal])
  const ports = {
    connect,
    tell: (happening: Parameters<typeof desk.tell>[0]) => desk.tell(happening),
    ...(options.ownerKey !== undefined && { ownerKey: options.ownerKey }),
  }
  const onWish = (wish: Wish) => (wish.is === 'quit' ? leaving.abort() : void carryOut(wish, ports))
  const desk = createWatchDesk(onWish, options.chosen)
  const shown = () => {
    const state = desk.state()
    const { columns = 80, rows = 24 } = process.stdout
    const layout = layoutOf({ columns, rows }, state.golems.length)
    const page = layout ? pageOf(state, layout.pageSize).golems.map(({ id }) => id as string) : []
    return state.chosen === undefined ? page : [state.chosen, ...page.filter((id) => id !== state.chosen)]
  }
  const screen = render(createElement(Screen, { desk, glyphs: isUnicode ? drawn : ascii, hasColour }), {
    alternateScreen: true,
    exitOnCtrlC: false,
    incrementalRendering: true,
    // Whether there is somebody was found out before; a CI that has a terminal has one.
    interactive: true,
  })
  const end = () => screen.unmount()
  signal.addEventListener('abort', end)
  const exited = screen.waitUntilExit().finally(() => leaving.abort())
  await Promise.all([exited, followOffice({ ...ports, shown, now: Date.now, signal })])
}
