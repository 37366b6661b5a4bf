import { PassThrough } from 'node:stream'
import { WriteStream } from 'node:tty'
import { expect, it } from 'vitest'
import { printer } from './printer.ts'
import { createStory } from './story.ts'

const long = 'A sentence that is much longer than a line of a plain terminal can hold, and goes on. '.repeat(
  3,
)
const refusal = {
  link: 0,
  caveat: 'Cage',
  error: 'SpendLimitExceeded',
  numbers: ['20000', '25000', '30000'],
  remedy: long,
}

/** A sample story, printed to a stream. */
async function printed(isTTY: boolean, env: NodeJS.ProcessEnv): Promise<string> {
  const stream = new PassThrough()
  const out = Object.assign(Object.create(WriteStream.prototype), { isTTY, write: stream.write.bind(stream) })
  const story = createStory(printer(out, env))
  story.weighBy(async () => 1_234_567n)
  story.chapter('A chapter', long)
  await story.step('fine', async () => ({
    what: long,
    transaction: `0x${'12'.repeat(32)}`,
    milliseconds: 1_234,
  }))
  await story.step('refused', async () => ({ what: long, refusal }))
  story.promise(true, long)
  story.promise(false, 'this one')
  return `${stream.read()}`
}

it('fits into 80 columns, without colours if the output is not a terminal', async () => {
  const plain = await printed(false, {})
  expect(Math.max(...plain.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
  expect(plain).not.toContain('\u001b')
  expect(plain).toContain('1.2 s, 1,234,567 gas, 0x1212121212121212…')
  expect(plain).toContain(
    'by Cage (link 0): SpendLimitExceeded(20000, 25000,\n     30000)\n     → A sentence',
  )
  expect(plain).not.toMatch(/ $/m)
  expect(plain).toContain('✗ BROKEN: this one')
  expect(await printed(true, { NO_COLOR: '1' })).toBe(plain)
})

it('uses colours on a terminal', async () => {
  expect(await printed(true, {})).toContain('\u001b[1m1. A chapter')
})
