import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { systemClock } from '@bardo/chain'
import type { Clock } from '@bardo/core'
import { type Devnet, startDevnet } from '@bardo/devnet'
import { openStore, type Store } from '@bardo/store'
import { type PostgresServer, startPostgres } from '@bardo/store/testing/postgres'
import { type Hash, parseEther, parseUnits } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createGolem } from '../heartbeat/createGolem.ts'
import { loadPermission } from '../permission/signedPermission.ts'
import { readSnapshot } from '../snapshot/readSnapshot.ts'
import { boundDecision } from '../strategy/boundDecision.ts'
import type { Strategy } from '../strategy/strategy.ts'
import type { FleetTask } from '../testing/fleetWorker.ts'
import { type FleetMember, fleetParts, storeFleet, summonFleet } from '../testing/summonFleet.ts'
import { runWorker } from './runWorker.ts'

const isFull = process.env['BARDO_TEST'] === 'full'
const [golems, traders, workers] = isFull ? [200, 40, 8] : [60, 8, 4]
const heartbeatSeconds = 10
const timeoutMs = 600_000
/** So far in the past that the tick after the next is already due: a finished Golem begins again at once. */
const clock: Clock = { ...systemClock, now: () => systemClock.now() - 3_600_000 }
/** Has no interval of its own: only the daily limit stops it. */
const eager: Strategy = async (view) =>
  boundDecision({ type: 'swap', from: 'USDC', to: 'WETH', cents: 3_000n, because: 'always' }, view)

let world: Devnet
let server: PostgresServer
let databaseUrl: string
beforeAll(async () => {
  ;[world, server] = await Promise.all([startDevnet({ port: 0 }), startPostgres()])
  databaseUrl = await server.createDatabase()
}, timeoutMs)
afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
  await world?.stop()
})

const open = () => openStore({ databaseUrl, clock, jobs: { heartbeatSeconds } })

/** A worker process that can be killed. */
function startWorker(task: Pick<FleetTask, 'concurrency' | 'hangs'>) {
  const script = join(import.meta.dirname, '../testing/fleetWorker.ts')
  const all: FleetTask = { ...task, world: world.description, databaseUrl, heartbeatSeconds }
  const child: ChildProcessByStdio<Writable, Readable, null> = spawn(
    process.execPath,
    [script, JSON.stringify(all)],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  const begun = new Set<string>()
  const lines = createInterface({ input: child.stdout })
  lines.on('line', (line) => {
    if (line.startsWith('begins ')) begun.add(line.slice('begins '.length))
  })
  return { child, begun, lines }
}

/** Works in this process, over its own connections, until the signal is aborted. */
async function work(signal: AbortSignal, errors: unknown[], running: Map<Hash, number>) {
  await using store = await open()
  const partsOf = fleetParts(world, store, clock)
  await runWorker({
    store,
    clock,
    concurrency: 8,
    signal,
    pollMs: 50,
    onError: (error) => errors.push(error),
    async summon(id) {
      const parts = partsOf(id)
      const golem = await createGolem({ ...parts, settings: { ...parts.settings, strategy: eager } })
      return {
        ...golem,
        async tick() {
          running.set(id, (running.get(id) ?? 0) + 1)
          // Detects a Golem that two workers tick at once.
          if (running.get(id) !== 1) errors.push(new Error(`${id} is ticked by two workers at once`))
          try {
            return await golem.tick()
          } finally {
            running.set(id, (running.get(id) ?? 0) - 1)
          }
        },
      }
    },
  })
}

async function fleet(store: Store): Promise<readonly FleetMember[]> {
  const strategy = 'Swap USDC into WETH.\n\nbudget: $50/day\nlifespan: 30 days'
  const quiet = await summonFleet(world, { count: golems - traders, strategy, usdc: 0n, gas: 0n })
  const usdc = parseUnits('100000', 6)
  const trading = await summonFleet(world, { count: traders, strategy, usdc, gas: parseEther('1') })
  const all = [...trading, ...quiet]
  await storeFleet(store, all, clock.now())
  await store.jobs.scheduleAll(all.map(({ id }) => ({ golem: id, at: clock.now() })))
  return all
}

it(
  `${workers} workers tick ${golems} Golems, each by one worker at a time; a killed worker's ticks move; no daily limit is exceeded`,
  async () => {
    await using store = await open()
    const members = await fleet(store)

    // One worker claims some ticks and is killed.
    const victim = startWorker({ concurrency: 4, hangs: true })
    for await (const _ of victim.lines) if (victim.begun.size === 4) break
    victim.child.kill('SIGKILL')
    await once(victim.child, 'close')

    const stop = new AbortController()
    const errors: unknown[] = []
    const running = new Map<Hash, number>()
    const working = Array.from({ length: workers - 1 }, () => work(stop.signal, errors, running))
    const ticked = new Map<string, number>()
    for await (const { golem, name } of store.events.subscribe({ after: 0, signal: stop.signal })) {
      if (name === 'heartbeat.ticked') ticked.set(golem, (ticked.get(golem) ?? 0) + 1)
      if (members.every(({ id }) => (ticked.get(id) ?? 0) >= 3)) stop.abort()
    }
    await Promise.all(working)
    expect(errors).toEqual([])
    for (const golem of victim.begun) expect(ticked.get(golem)).toBeGreaterThanOrEqual(3)

    // Each tick wrote the next version, and no version was written twice.
    for (const { id } of members) {
      const life = await store.golemStates.find(id)
      const events = await store.events.read({ after: 0, golem: id, limit: 1_000 })
      const numbers = events.filter(({ name }) => name === 'heartbeat.ticked').map(({ body }) => body)
      expect(numbers).toEqual(numbers.map((_, index) => expect.objectContaining({ tick: index + 1 })))
      const decided = events.filter(({ name }) => name === 'action.intended').length
      expect(life?.version).toBe(numbers.length + decided)
    }

    // Each Golem tried to trade more in every tick, and spent exactly the signed daily limit.
    const partsOf = fleetParts(world, store)
    for (const { id } of members.slice(0, traders)) {
      const { day } = await readSnapshot(partsOf(id), await loadPermission(partsOf(id)))
      expect(day).toMatchObject({ spent: 5_000n, limit: 5_000n })
    }
    expect(await store.audit.verify()).toMatchObject({ type: 'intact' })
  },
  timeoutMs,
)
