/**
 * How fast the library is. Each figure is measured next to its baseline, in one run.
 *
 *   npm run bench:core                       a table
 *   npm run --silent bench:core -- --json    an array of {name, opsPerSec, baseline, ratio}
 */
import { parseArgs } from 'node:util'
import { compareAttenuation } from './attenuation.ts'
import { compareEvaluation } from './evaluation.ts'
import { compareSignatures } from './signatures.ts'
import { compareStrategies } from './strategies.ts'

const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } } })

// MetaMask's kit reports its use to MetaMask unless this is set.
process.env['DO_NOT_TRACK'] = '1'

const results = [
  ...(await compareEvaluation()),
  ...(await compareSignatures()),
  ...(await compareAttenuation()),
  ...(await compareStrategies()),
]

if (values.json) console.log(JSON.stringify(results, null, 2))
else
  console.table(
    results.map(({ name, opsPerSec, baseline, ratio }) => ({
      name,
      'per second': opsPerSec,
      'compared with': baseline.name,
      'its per second': baseline.opsPerSec,
      ratio,
    })),
  )
