import { expect, it, vi } from 'vitest'
import { remember } from './remember.ts'

it('computes a text once, and drops the oldest entries', () => {
  const read = vi.fn((text: string) => ({ text }))
  const known = remember(read)
  expect(known('a')).toBe(known('a'))
  expect(read).toHaveBeenCalledTimes(1)
  for (let i = 0; i < 300; i += 1) known(`${i}`)
  expect(read).toHaveBeenCalledTimes(301)
  known('299')
  expect(read).toHaveBeenCalledTimes(301)
  known('a')
  expect(read).toHaveBeenCalledTimes(302)
})

it('does not keep what was refused', () => {
  const read = vi.fn((text: string) => {
    if (text === 'bad') throw new Error('refused')
    return text
  })
  const known = remember(read)
  expect(() => known('bad')).toThrow('refused')
  expect(() => known('bad')).toThrow('refused')
  expect(read).toHaveBeenCalledTimes(2)
})

it('does not cache very long texts', () => {
  const read = vi.fn((text: string) => text)
  const known = remember(read)
  const long = 'f'.repeat(16_385)
  known(long)
  known(long)
  expect(read).toHaveBeenCalledTimes(2)
})
