/**
 * The start-up time of `bardo --help`, compared with a bare `node -e 0` of the same Node. Both are started in
 * turns, so that other load affects both. `npm run --silent bench:cli -- --json`; exits with code 1 above 3
 * times.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const runs = 20
const maxFactor = 3
const binary = join(import.meta.dirname, '../../apps/cli/bin/bardo.js')
const calls = { node: ['-e', '0'], help: [binary, '--help'], status: [binary, 'status', '--help'] }
type Name = keyof typeof calls

function start(name: Name): number {
  const startedAt = performance.now()
  const { status } = spawnSync(process.execPath, calls[name], { stdio: 'ignore' })
  if (status !== 0) throw new Error(`${name} ended with ${status}`)
  return performance.now() - startedAt
}

const names = Object.keys(calls) as Name[]
// Once each to fill the compile cache, which a second start has.
for (const name of names) start(name)
const times = new Map<Name, number[]>(names.map((name) => [name, []]))
for (let run = 0; run < runs; run += 1) for (const name of names) times.get(name)?.push(start(name))

const median = (name: Name) => {
  const sorted = (times.get(name) ?? []).toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
const bare = median('node')
const results = names.map((name) => ({
  name,
  milliseconds: Number(median(name).toFixed(1)),
  times: Number((median(name) / bare).toFixed(2)),
}))
const isWithin = results.every(({ times: factor }) => factor <= maxFactor)

if (process.argv.includes('--json')) console.log(JSON.stringify({ runs, most: maxFactor, isWithin, results }))
else
  for (const { name, milliseconds, times: factor } of results)
    console.log(`${name.padEnd(8)} ${milliseconds} ms  ${factor} ×`)
if (!isWithin) process.exitCode = 1
