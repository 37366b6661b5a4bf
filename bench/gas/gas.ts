/**
 * The gas of each policy for the same work, on one chain in one run.
 *
 *   npm run bench:gas                       the tables of docs/gas.md
 *   npm run --silent bench:gas -- --json    an array of {scenario, policy, gas, policyGas}
 *   npm run bench:gas -- --update           accepts the figures: bench/gas/snapshot.json and docs/gas.md
 */
import { parseArgs } from 'node:util'
import { startDevnet } from '@bardo/devnet'
import { openBenchWorld } from './benchWorld.ts'
import { measure } from './measure.ts'
import { acceptSnapshot } from './snapshot.ts'
import { tables } from './tables.ts'

const { values } = parseArgs({
  options: { json: { type: 'boolean', default: false }, update: { type: 'boolean', default: false } },
})

// MetaMask's kit reports its use to MetaMask unless this is set.
process.env['DO_NOT_TRACK'] = '1'
await using world = await startDevnet({ port: 0 })
const measurement = await measure(world, await openBenchWorld(world))

if (values.update) acceptSnapshot(measurement)
console.log(values.json ? JSON.stringify(measurement.policies, null, 2) : tables(measurement))
