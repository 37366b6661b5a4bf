/**
 * One measured process of workers. Its task is its argument. It opens all Golems, ticks until its share has
 * ticked or its patience is over, measures for a while, prints its report as JSON and ends.
 */
import { systemClock } from '@bardo/chain'
import { connectDevnet, type WorldDescription } from '@bardo/devnet'
import { createGolem, type LivingGolem, runWorker } from '@bardo/golem'
import { fleetParts } from '@bardo/golem/testing/fleet'
import { openStore } from '@bardo/store'
import type { Hash } from 'viem'

/** The task, as JSON. */
export type WorkerTask = {
  readonly world: WorldDescription
  readonly location: { readonly home: string } | { readonly databaseUrl: string }
  /** Loops in this process. */
  readonly workers: number
  /** The process is warm once it has ticked this many different Golems. */
  readonly share: number
  readonly patienceSeconds: number
  readonly seconds: number
}

/** The report. */
export type WorkerReport = {
  readonly ticks: number
  readonly cpuSeconds: number
  readonly wallSeconds: number
  readonly rpcCalls: number
  readonly golems: number
  readonly heapBytes: number
  readonly residentBytes: number
  readonly errors: number
}

/** Maximum number of concurrent ticks in this process: somewhat more than one batch of reads holds. */
const maxConcurrent = 1_000
const task: WorkerTask = JSON.parse(process.argv[2] ?? '{}')
// An hour behind: a Golem that has ticked is due again at once.
const clock = { ...systemClock, now: () => systemClock.now() - 3_600_000 }
await using store = await openStore({ ...task.location, clock })
const partsOf = fleetParts(connectDevnet(task.world), store, clock)

let [rpcCalls, ticks, errors] = [0, 0, 0]
const seen = new Set<Hash>()
const realFetch = globalThis.fetch
globalThis.fetch = (...args) => {
  rpcCalls += 1
  return realFetch(...args)
}

const memory = () => {
  globalThis.gc?.()
  const { heapUsed, rss } = process.memoryUsage()
  return { heapUsed, rss }
}
const stop = new AbortController()
const before = memory()
const opened = await openAll()
const working = Array.from({ length: task.workers }, () =>
  runWorker({
    store,
    clock,
    concurrency: Math.floor(maxConcurrent / task.workers),
    signal: stop.signal,
    pollMs: 20,
    onError: () => {
      errors += 1
    },
    async summon(id) {
      const golem = opened.get(id) ?? (await createGolem(partsOf(id)))
      return {
        ...golem,
        async tick() {
          const result = await golem.tick()
          ticks += 1
          seen.add(id)
          return result
        },
      }
    },
  }),
)

const patience = performance.now() + task.patienceSeconds * 1_000
while (seen.size < task.share && performance.now() < patience) await clock.sleep(50)
const after = memory()
const start = { ticks, rpcCalls, golems: seen.size, cpu: process.cpuUsage(), at: performance.now() }
await clock.sleep(task.seconds * 1_000)
const { user, system } = process.cpuUsage(start.cpu)
const report: WorkerReport = {
  ticks: ticks - start.ticks,
  cpuSeconds: (user + system) / 1e6,
  wallSeconds: (performance.now() - start.at) / 1_000,
  rpcCalls: rpcCalls - start.rpcCalls,
  golems: start.golems,
  heapBytes: after.heapUsed - before.heapUsed,
  residentBytes: after.rss - before.rss,
  errors,
}
stop.abort()
await Promise.all(working)
process.stdout.write(`${JSON.stringify(report)}\n`)

/**
 * After some time a worker has every Golem open, because it may get any of them. With ten thousand Golems and
 * several processes that takes minutes, and it is not measured.
 */
async function openAll(): Promise<Map<Hash, LivingGolem>> {
  const all = new Map<Hash, LivingGolem>()
  for (let after: Hash | undefined; ; ) {
    const page = await store.golems.list({ limit: 250, ...(after && { after }) })
    await Promise.all(page.map(async ({ id }) => all.set(id, await createGolem(partsOf(id)))))
    after = page.at(-1)?.id
    if (page.length === 0) return all
  }
}
