import { expect, it } from 'vitest'
import { runBooks } from './runBooks.ts'
import { drawSequence, readSequence, sequenceToText } from './step.ts'

const count = process.env['BARDO_TEST'] === 'full' ? 100 : 12
/** A sequence takes several seconds on a busy machine. */
const timeout = count * 20_000

it(`keeps the books balanced after each operation of ${count} random sequences`, { timeout }, async () => {
  const lines: string[] = []
  const sequences = Array.from({ length: count }, (_, index) => ({
    seed: index + 1,
    steps: drawSequence(index + 1),
  }))
  const { failures, ran } = await runBooks(sequences, { log: (line) => lines.push(line), mostFailures: 1 })
  const problems = lines.filter((line) => !line.startsWith('✓'))
  expect(failures, problems.join('\n')).toEqual([])
  expect(ran).toBe(count)
})

it('repeats a sequence from its seed, and from the line that a failure prints', () => {
  const steps = drawSequence(7)
  expect(drawSequence(7)).toEqual(steps)
  expect(drawSequence(8)).not.toEqual(steps)
  expect(readSequence(sequenceToText(steps))).toEqual(steps)
  expect(() => readSequence('summon:1 dance:2')).toThrow('dance:2 is not a step')
})
