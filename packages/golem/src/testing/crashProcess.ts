/**
 * A process that runs a Golem until its crash point. Points are the steps of ticks and deaths, and the
 * moments before and
 * after calls to the node, writes to the journal and the capability ledger, and transactions of the store.
 * Without a crash
 * point it ticks twice, or completes the death, and exits normally. It prints a line for each fact.
 */
import { systemClock } from '@bardo/chain'
import type { Clock, Journal } from '@bardo/core'
import { connectDevnet, type WorldDescription } from '@bardo/devnet'
import { openStore, type Store, type TickRecord } from '@bardo/store'
import type { Hash } from 'viem'
import { createGolem, type GolemTick } from '../heartbeat/createGolem.ts'
import { crashGolems, type LifeName } from './crashGolems.ts'
import type { CrashPoint } from './crashPoint.ts'
import { partsOf } from './golemWorld.ts'

/** Its task, as JSON. */
export type MortalTask = {
  readonly world: WorldDescription
  readonly location: { readonly home: string } | { readonly databaseUrl: string }
  readonly id: Hash
  readonly life: LifeName
  /** Whether the owner uses the kill switch. */
  readonly dying: boolean
  readonly crashPoint?: CrashPoint | undefined
}

/** The maximum number of ticks before the crash point. */
const mostTicks = 8
const task: MortalTask = JSON.parse(process.argv[2] ?? '{}')
const { crashPoint } = task
const world = connectDevnet(task.world)
const say = (line: string) => process.stdout.write(`${line}\n`)

let moments = 0
let passed = 0
function point(name: string): void {
  moments += 1
  if (crashPoint?.type === 'at' || crashPoint?.type === 'asleep') {
    if (name !== crashPoint.path[passed]) return
    passed += 1
    if (passed < crashPoint.path.length) return
  } else if (crashPoint?.type !== 'moment' || moments !== crashPoint.number) return
  say(`${crashPoint.type === 'asleep' ? 'sleeps' : 'dies'} ${name}`)
  process.kill(process.pid, crashPoint.type === 'asleep' ? 'SIGSTOP' : 'SIGKILL')
}

type Name<Args extends readonly unknown[]> = (...args: Args) => string

/** Adds a point before and after a function. */
function withPoints<Args extends readonly unknown[], Result>(
  work: (...args: Args) => Promise<Result>,
  nameOf: Name<Args>,
): (...args: Args) => Promise<Result> {
  return async (...args) => {
    const name = nameOf(...args)
    point(`before ${name}`)
    const result = await work(...args)
    point(`after ${name}`)
    return result
  }
}

/** The purpose of an intent: the last part of its id. */
const purposeOf = (intentId: string) => intentId.split(':').at(-1)

function mortalJournal(journal: Journal): Journal {
  const of = (word: string) => (intentId: string) => `${word} of ${purposeOf(intentId)}`
  const addIntent: Journal['addIntent'] = async (intent, at) => {
    say(`writes ${intent.id}`)
    return journal.addIntent(intent, at)
  }
  return {
    ...journal,
    addIntent: withPoints(addIntent, ({ id }) => of('addIntent')(id)),
    claimNonce: withPoints(journal.claimNonce, of('claimNonce')),
    addAttempt: withPoints(journal.addAttempt, of('addAttempt')),
    noteMined: withPoints(journal.noteMined, of('noteMined')),
    settle: withPoints(journal.settle, of('settle')),
  }
}

let isRecording = false
/** The store reads this clock inside the transaction that records a tick. */
const mortalClock: Clock = {
  ...systemClock,
  now() {
    if (isRecording) point('inside transaction')
    return systemClock.now()
  },
}

function mortalStore(store: Store): Store {
  const { ticks, capabilities, transaction } = store
  async function record(tickResult: TickRecord): Promise<boolean> {
    isRecording = true
    const isSaved = await ticks.save(tickResult)
    isRecording = false
    return isSaved
  }
  async function consume(capabilityId: string, intentId: string): Promise<boolean> {
    say(`consumes ${capabilityId}`)
    return capabilities.consume(capabilityId, intentId)
  }
  return {
    ...store,
    journal: mortalJournal(store.journal),
    capabilities: {
      ...capabilities,
      mint: withPoints(capabilities.mint, () => 'mint'),
      consume: withPoints(consume, () => 'consume'),
    },
    ticks: { save: withPoints(record, () => 'transaction') },
    transaction(work) {
      const written = () =>
        transaction(async (inside) => {
          const result = await work(inside)
          point('inside transaction')
          return result
        })
      return withPoints(written, () => 'transaction')()
    },
  }
}

function mortalFetch(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const { method } = JSON.parse(typeof init?.body === 'string' ? init.body : '{}')
    const isLast = crashPoint?.type === 'at' && crashPoint.broadcast && passed === crashPoint.path.length - 1
    if (isLast && method === 'eth_sendRawTransaction') {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'evm_setAutomine', params: [false] })
      await fetch(input, { ...init, body })
    }
    const answered = () => fetch(input, init)
    return withPoints(answered, () => method)()
  }
}

await using open = await openStore({ ...task.location, clock: mortalClock })
const store = mortalStore(open)
globalThis.fetch = mortalFetch(globalThis.fetch)

const { strategy, warpSeconds } = crashGolems[task.life]
let ticks = 0
const parts = partsOf(world, store, task.id, {
  strategy,
  economy: {
    // The score alternates, so that every tick has something to publish.
    get runwayCents() {
      return ticks % 2 === 0 ? 10_000n : 1_700n
    },
    dayPrices: { compute: 250n, data: 50n },
  },
})
const golem = await createGolem({ ...parts, onStep: (step) => point(`step ${step}`) })
say('lives')

async function live(): Promise<GolemTick> {
  if (task.dying) return (await golem.status()).death ? golem.tick() : golem.kill()
  if (warpSeconds > 0) await world.warp(warpSeconds)
  return golem.tick()
}

function isDone(last: GolemTick): boolean {
  if (task.dying) return last.type === 'dying' && last.phase === 'over'
  if (crashPoint?.type === 'timer') return false
  return ticks >= (crashPoint ? mostTicks : 2)
}

for (;;) {
  const last = await live()
  ticks += 1
  say(`${last.type} ${moments}`)
  if (isDone(last)) break
}
