import type { Key as InkKey } from 'ink'
import { cleanText } from './cells.ts'
import type { Key } from './handleKey.ts'

/** The terminal's input as keys. Text that arrives together with Enter becomes two keys. */
export function keysOf(input: string, key: InkKey): readonly Key[] {
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
