import { Box, Text, type TextProps, useInput, useWindowSize } from 'ink'
import { createElement, type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import type { Glyphs } from './glyphs.ts'
import { keysOf } from './keysOf.ts'
import { layoutOf } from './layout.ts'
import type { Line, Span, Tone } from './line.ts'
import { viewOf } from './view.ts'
import type { WatchDesk } from './watchDesk.ts'

/** What the screen is drawn with. */
export type ScreenProps = {
  readonly desk: WatchDesk
  readonly glyphs: Glyphs
  readonly hasColour: boolean
}

/** The whole window: draws the state, and passes keys on. */
export function Screen({ desk, glyphs, hasColour }: ScreenProps): ReactNode {
  const state = useSyncExternalStore(desk.subscribe, desk.state)
  const size = useWindowSize()
  const now = useNow()
  useInput((input, key) => {
    const pageSize = layoutOf(size, state.golems.length)?.pageSize ?? 1
    for (const one of keysOf(input, key)) desk.press(one, pageSize)
  })
  const lines = viewOf(state, { size, now, glyphs })
  return createElement(
    Box,
    { flexDirection: 'column', width: size.columns, height: size.rows },
    lines.map((line, at) => createElement(ScreenLine, { key: at, line, hasColour })),
  )
}

function ScreenLine({ line, hasColour }: { readonly line: Line; readonly hasColour: boolean }): ReactNode {
  return createElement(
    Text,
    { wrap: 'truncate' },
    line.map((span, at) => createElement(Text, { key: at, ...styleOf(span, hasColour) }, span.text)),
  )
}

const colours: Readonly<Record<Tone, TextProps>> = {
  good: { color: 'green' },
  warn: { color: 'yellow' },
  bad: { color: 'red' },
  quiet: { dimColor: true },
  accent: { color: 'cyan' },
}

function styleOf({ tone, isBold }: Span, hasColour: boolean): TextProps {
  if (!hasColour) return {}
  return { ...(tone && colours[tone]), ...(isBold && { bold: true }) }
}

/** The time, a new one at each full second: countdowns end together. */
function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  // biome-ignore lint/correctness/useExhaustiveDependencies: each second sets the next one.
  useEffect(() => {
    const timer = setTimeout(() => setNow(Date.now()), 1_000 - (Date.now() % 1_000))
    return () => clearTimeout(timer)
  }, [now])
  return now
}
