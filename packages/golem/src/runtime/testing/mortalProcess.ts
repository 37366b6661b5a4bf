/**
 * A process that lives a Golem's life until its doom. Points are the steps of ticks and deaths, and what comes before
 * and after calls to the node, words with the journal and the ledger of capabilities, and transactions of the store.
 * Without a doom it ticks twice, or dies its Golem's death, and ends well. It writes a line for each thing to be known.
 */
import { systemClock } from '@bardo/chain'
import type { Clock, Journal } from '@bardo/core'
import { connectDevnet, type WorldDescription } from '@bardo/devnet'
import { type Beat, openStore, type Store } from '@bardo/store'
import type { Hash } from 'viem'
import { createGolem, type GolemTick } from '../createGolem.ts'
import type { Doom } from './doom.ts'
import { partsOf } from './golemWorld.ts'
import { type LifeName, mortalLives } from './mortalLives.ts'

/** What it is told, as JSON. */
export type MortalTask = {
  readonly world: WorldDescription
  readonly location: { readonly home: string } | { readonly databaseUrl: string }
  readonly id: Hash
  readonly life: LifeName
  /** The owner uses the kill switch, or has used it. */
  readonly dying: boolean
  readonly doom?: Doom | undefined
}

/** After so many ticks without its doom it never comes. */
const mostTicks = 8
const task: MortalTask = JSON.parse(process.argv[2] ?? '{}')
const { doom } = task
const world = connectDevnet(task.world)
const say = (line: string) => process.stdout.write(`${line}\n`)

let moments = 0
let passed = 0
function point(name: string): void {
  moments += 1
  if (doom?.is === 'at' || doom?.is === 'asleep') {
    if (name !== doom.path[passed]) return
    passed += 1
    if (passed < doom.path.length) return
  } else if (doom?.is !== 'moment' || moments !== doom.number) return
  say(`${doom.is === 'asleep' ? 'sleeps' : 'dies'} ${name}`)
  process.kill(process.pid, doom.is === 'asleep' ? 'SIGSTOP' : 'SIGKILL')
}

type Name<Args extends readonly unknown[]> = (...args: Args) => string

/** The same function with a point before it and one after it. */
function mortal<Args extends readonly unknown[], Result>(
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

/** What an intent is for: the last part of its id. */
const purposeOf = (intentId: string) => intentId.split(':').at(-1)

function mortalJournal(journal: Journal): Journal {
  const of = (word: string) => (intentId: string) => `${word} of ${purposeOf(intentId)}`
  const addIntent: Journal['addIntent'] = async (intent, at) => {
    say(`writes ${intent.id}`)
    return journal.addIntent(intent, at)
  }
  return {
    ...journal,
    addIntent: mortal(addIntent, ({ id }) => of('addIntent')(id)),
    claimNonce: mortal(journal.claimNonce, of('claimNonce')),
    addAttempt: mortal(journal.addAttempt, of('addAttempt')),
    noteMined: mortal(journal.noteMined, of('noteMined')),
    settle: mortal(journal.settle, of('settle')),
  }
}

let isRecording = false
/** The store looks at it inside the transaction that records a tick. */
const mortalClock: Clock = {
  ...systemClock,
  now() {
    if (isRecording) point('inside transaction')
    return systemClock.now()
  },
}

function mortalStore(store: Store): Store {
  const { beats, capabilities, transaction } = store
  async function record(beat: Beat): Promise<boolean> {
    isRecording = true
    const isSaved = await beats.save(beat)
    isRecording = false
    return isSaved
  }
  async function consume(permitId: string, intentId: string): Promise<boolean> {
    say(`consumes ${permitId}`)
    return capabilities.consume(permitId, intentId)
  }
  return {
    ...store,
    journal: mortalJournal(store.journal),
    capabilities: {
      ...capabilities,
      mint: mortal(capabilities.mint, () => 'mint'),
      consume: mortal(consume, () => 'consume'),
    },
    beats: { save: mortal(record, () => 'transaction') },
    transaction(work) {
      const written = () =>
        transaction(async (inside) => {
          const result = await work(inside)
          point('inside transaction')
          return result
        })
      return mortal(written, () => 'transaction')()
    },
  }
}

function mortalFetch(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const { method } = JSON.parse(typeof init?.body === 'string' ? init.body : '{}')
    const isLast = doom?.is === 'at' && doom.broadcast && passed === doom.path.length - 1
    if (isLast && method === 'eth_sendRawTransaction') {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'evm_setAutomine', params: [false] })
      await fetch(input, { ...init, body })
    }
    const answered = () => fetch(input, init)
    return mortal(answered, () => method)()
  }
}

await using open = await openStore({ ...task.location, clock: mortalClock })
const store = mortalStore(open)
globalThis.fetch = mortalFetch(globalThis.fetch)

const { strategy, warpSeconds } = mortalLives[task.life]
let ticks = 0
const parts = partsOf(world, store, task.id, {
  strategy,
  economy: {
    // Its score goes up and down, so that every tick has something to publish.
    get runwayCents() {
      return ticks % 2 === 0 ? 10_000n : 1_700n
    },
    dailyCosts: { inference: 100n, gas: 100n, compute: 50n, data: 50n },
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
  if (task.dying) return last.is === 'dying' && last.phase === 'over'
  if (doom?.is === 'timer') return false
  return ticks >= (doom ? mostTicks : 2)
}

for (;;) {
  const last = await live()
  ticks += 1
  say(`${last.is} ${moments}`)
  if (isDone(last)) break
}
