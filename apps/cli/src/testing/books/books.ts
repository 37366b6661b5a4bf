/**
 * Checks the books after random sequences of an owner's operations: `npm run test:books`. `-- --count N` runs N sequences,
 * `-- --seed N` one of them, `-- --steps "…"` the steps of a line that a failure printed.
 */
import { parseArgs } from 'node:util'
import { runBooks } from './runBooks.ts'
import { drawSequence, readSequence } from './step.ts'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '200' },
    seed: { type: 'string' },
    steps: { type: 'string' },
    first: { type: 'string', default: '1' },
  },
})
const [first, count] =
  values.seed === undefined ? [Number(values.first), Number(values.count)] : [Number(values.seed), 1]
const sequences =
  values.steps === undefined
    ? Array.from({ length: count }, (_, index) => ({
        seed: first + index,
        steps: drawSequence(first + index),
      }))
    : [{ seed: 0, steps: readSequence(values.steps) }]
const { failures } = await runBooks(sequences, { log: (line) => console.log(line) })
process.exitCode = failures.length === 0 ? 0 : 1
