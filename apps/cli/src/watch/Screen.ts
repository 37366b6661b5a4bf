import { styleText } from 'node:util'
import { Box, type Key as InkKey, Text, useInput, useWindowSize } from 'ink'
import { createElement, memo, type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import { cleanText } from './cells.ts'
import type { Glyphs } from './glyphs.ts'
import type { Key } from './handleKey.ts'
import { layoutOf } from './layout.ts'
import { isSameLine, type Line, type Span, type Tone } from './line.ts'
import { viewOf } from './view.ts'
import type { WatchStore } from './watchStore.ts'

/** The properties of the screen. */
export type ScreenProps = {
  readonly store: WatchStore
  readonly glyphs: Glyphs
  readonly hasColour: boolean
}

/** The whole window: draws the state, and passes keys to the store. */
export function Screen({ store, glyphs, hasColour }: ScreenProps): ReactNode {
  const state = useSyncExternalStore(store.subscribe, store.state)
  const size = useWindowSize()
  const now = useNow()
  useInput((input, key) => {
    const pageSize = layoutOf(size, state.golems.length)?.pageSize ?? 1
    for (const one of keysOf(input, key)) store.press(one, pageSize)
  })
  const lines = viewOf(state, { size, now, glyphs })
  return createElement(
    Box,
    { flexDirection: 'column', width: size.columns, height: size.rows },
    lines.map((line, at) => createElement(ScreenLine, { key: at, line, hasColour })),
  )
}

type ScreenLineProps = { readonly line: Line; readonly hasColour: boolean }

/** A line with the same content is not drawn again: from one second to the next, most lines are the same. */
const ScreenLine = memo(
  ({ line, hasColour }: ScreenLineProps): ReactNode =>
    createElement(Text, { wrap: 'truncate' }, line.map((span) => styled(span, hasColour)).join('')),
  (before, now) => before.hasColour === now.hasColour && isSameLine(before.line, now.line),
)

const colours: Readonly<Record<Tone, 'green' | 'yellow' | 'red' | 'dim' | 'cyan'>> = {
  good: 'green',
  warn: 'yellow',
  bad: 'red',
  quiet: 'dim',
  accent: 'cyan',
}

function styled({ text, tone, isBold }: Span, hasColour: boolean): string {
  const formats = [...(tone ? [colours[tone]] : []), ...(isBold ? (['bold'] as const) : [])]
  return hasColour && formats.length > 0 ? styleText(formats, text, { validateStream: false }) : text
}

/** The current time, updated at each full second, so that all countdowns change together. */
function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  // biome-ignore lint/correctness/useExhaustiveDependencies: each second schedules the next one.
  useEffect(() => {
    const timer = setTimeout(() => setNow(Date.now()), 1_000 - (Date.now() % 1_000))
    return () => clearTimeout(timer)
  }, [now])
  return now
}

/** The terminal's input as keys. Text that arrives together with Enter becomes two keys. */
function keysOf(input: string, key: InkKey): readonly Key[] {
  if (key.ctrl) return input === 'c' || input === 'd' ? [{ type: 'interrupt' }] : []
  if (key.upArrow) return [{ type: 'up' }]
  if (key.downArrow) return [{ type: 'down' }]
  if (key.pageUp) return [{ type: 'pageUp' }]
  if (key.pageDown) return [{ type: 'pageDown' }]
  if (key.home) return [{ type: 'home' }]
  if (key.end) return [{ type: 'end' }]
  if (key.return) return [{ type: 'enter' }]
  if (key.escape) return [{ type: 'escape' }]
  if (key.backspace || key.delete) return [{ type: 'backspace' }]
  if (key.meta || key.tab || key.leftArrow || key.rightArrow) return []
  const [first = '', ...more] = input.split(/[\r\n]/)
  const text = cleanText(first)
  return [
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...(more.length > 0 ? [{ type: 'enter' as const }] : []),
  ]
}
