import type { Key as InkKey } from 'ink'
import { cleanText } from './cells.ts'
import type { Key } from './press.ts'

/** What the terminal sent, as keys. A text that came with its Enter is both. */
export function keysOf(input: string, key: InkKey): readonly Key[] {
  if (key.ctrl) return input === 'c' || input === 'd' ? [{ is: 'interrupt' }] : []
  if (key.upArrow) return [{ is: 'up' }]
  if (key.downArrow) return [{ is: 'down' }]
  if (key.pageUp) return [{ is: 'pageUp' }]
  if (key.pageDown) return [{ is: 'pageDown' }]
  if (key.home) return [{ is: 'home' }]
  if (key.end) return [{ is: 'end' }]
  if (key.return) return [{ is: 'enter' }]
  if (key.escape) return [{ is: 'escape' }]
  if (key.backspace || key.delete) return [{ is: 'backspace' }]
  if (key.meta || key.tab || key.leftArrow || key.rightArrow) return []
  const [first = '', ...more] = input.split(/[\r\n]/)
  const text = cleanText(first)
  return [
    ...(text === '' ? [] : [{ is: 'text' as const, text }]),
    ...(more.length > 0 ? [{ is: 'enter' as const }] : []),
  ]
}
