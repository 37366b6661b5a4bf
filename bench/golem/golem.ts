/**
 * The cost of a tick with growing numbers of Golems and workers, on both databases. The Golems are idle: they
 * read, evaluate, decide to wait and record it. Per core means per second of the workers' processor time,
 * without PostgreSQL's and the chain's.
 *
 *   npm run bench:golem                       a table
 *   npm run --silent bench:golem -- --json    an array of results
 *   npm run bench:golem -- --golems 100,1000  other sizes
 *
 * It ends after at most fifteen minutes and names what it skipped.
 */
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { systemClock } from '@bardo/chain'
import { startDevnet } from '@bardo/devnet'
import { storeFleet, summonFleet } from '@bardo/golem/testing/fleet'
import { openStore } from '@bardo/store'
import { startPostgres } from '@bardo/store/testing/postgres'
import type { WorkerReport, WorkerTask } from './worker.ts'

/** One line of the benchmark. */
type Result = {
  readonly database: string
  readonly workers: number
  readonly golems: number
  readonly ticksPerSecondPerCore: number
  readonly ticksPerSecond: number
  readonly rpcCallsPerTick: number
  readonly bytesPerGolem: { readonly heap: number; readonly resident: number }
  /** Processor time per tick, relative to a hundred Golems with the same number of workers. */
  readonly costRatio: number
  /** Number of Golems that had ticked before the measurement. */
  readonly warm: number
  readonly errors: number
}

process.env['DO_NOT_TRACK'] = '1'
const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    golems: { type: 'string', default: '10,100,1000,10000' },
  },
})
const sizes = values.golems.split(',').map(Number)
const startedAt = performance.now()
const secondsLeft = () => 900 - (performance.now() - startedAt) / 1_000
const strategy = 'Every day, swap $50 of USDC into WETH.\n\nlifespan: 30 days'
const seconds = 5
/** Number of Golems that are created and stored at a time. */
const step = 250

await using world = await startDevnet({ port: 0 })
await using server = await startPostgres({ durable: true })
const home = await mkdtemp(join(tmpdir(), 'bardo-bench-'))
await using _folder = { [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true }) }
const databases = [
  { database: 'PGlite', location: { home } },
  { database: 'PostgreSQL', location: { databaseUrl: await server.createDatabase() } },
] as const
const results: Result[] = []
const skipped: string[] = []
let stored = 0

for (const golems of sizes) {
  await grow(golems)
  const counts = golems >= 100 ? [1, 2, 4] : [1]
  for (const { database, location } of databases)
    for (const workers of counts) {
      const name = `${database}, ${workers} workers, ${golems} Golems`
      if (stored < golems || secondsLeft() < 60) skipped.push(name)
      else results.push(await measure(database, location, workers, golems))
    }
}

if (values.json) console.log(JSON.stringify({ results, leftOut: skipped }, null, 2))
else {
  console.table(
    results.map(({ bytesPerGolem: { heap, resident }, ...rest }) => ({ ...rest, heap, resident })),
  )
  if (skipped.length > 0) console.log(`Skipped for lack of time:\n  ${skipped.join('\n  ')}`)
}

/** Grows the fleet to the given size, in both databases, while there is time. */
async function grow(golems: number): Promise<void> {
  const stores = await Promise.all(
    databases.map(({ location }) => openStore({ ...location, clock: systemClock })),
  )
  while (stored < golems && secondsLeft() > 120) {
    const count = Math.min(step, golems - stored)
    const members = await summonFleet(world, { count, strategy, usdc: 0n, gas: 0n })
    await Promise.all(stores.map((store) => storeFleet(store, members, systemClock.now() - 3_600_000)))
    stored += count
  }
  await Promise.all(stores.map((store) => store.close()))
}

/** PGlite has one process, whose loops share it; PostgreSQL serves one process per worker. */
async function measure(
  database: Result['database'],
  location: WorkerTask['location'],
  workers: number,
  golems: number,
): Promise<Result> {
  const processes = database === 'PGlite' ? 1 : workers
  const patienceSeconds = Math.min(120, secondsLeft() - 20)
  // Several processes take Golems as they come: each has all of them open, and has ticked its share.
  const share = Math.ceil(golems / processes)
  const task = {
    world: world.description,
    location,
    workers: workers / processes,
    share,
    patienceSeconds,
    seconds,
  }
  const reports = await Promise.all(Array.from({ length: processes }, () => run(task)))
  const sum = (pick: (report: WorkerReport) => number) =>
    reports.reduce((total, report) => total + pick(report), 0)
  const [ticks, ready] = [sum((report) => report.ticks), sum((report) => report.golems)]
  const perCore = ticks / sum((report) => report.cpuSeconds)
  const hundred = results.find(
    (result) => result.database === database && result.golems === 100 && result.workers === workers,
  )
  return {
    database,
    workers,
    golems,
    ticksPerSecondPerCore: rounded(perCore),
    ticksPerSecond: rounded(sum((report) => report.ticks / report.wallSeconds)),
    rpcCallsPerTick: rounded(sum((report) => report.rpcCalls) / ticks),
    bytesPerGolem: {
      heap: Math.round(sum((report) => report.heapBytes) / processes / golems),
      resident: Math.round(sum((report) => report.residentBytes) / processes / golems),
    },
    costRatio: rounded((hundred?.ticksPerSecondPerCore ?? perCore) / perCore),
    warm: Math.min(golems, ready),
    errors: sum((report) => report.errors),
  }
}

async function run(task: WorkerTask): Promise<WorkerReport> {
  const child = spawn(
    process.execPath,
    ['--expose-gc', join(import.meta.dirname, 'worker.ts'), JSON.stringify(task)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  return JSON.parse(await text(child.stdout))
}

/** Such a measurement is not accurate beyond three digits. */
function rounded(value: number): number {
  return Number(value.toPrecision(3))
}
