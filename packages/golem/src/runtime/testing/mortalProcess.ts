/**
 * A process that ticks a Golem for ever and kills itself at a given moment: before or after a call to the node, a word
 * with the journal or a transaction of the store. Without a moment it ticks twice and lives. It writes a line for each
 * thing that is done.
 */
import { systemClock } from '@bardo/chain'
import type { Journal } from '@bardo/core'
import { connectDevnet, type WorldDescription } from '@bardo/devnet'
import { openStore, type Store } from '@bardo/store'
import type { Hash } from 'viem'
import type { Strategy } from '../../strategies/strategy.ts'
import { createGolem } from '../createGolem.ts'
import { partsOf } from './golemWorld.ts'

/** What it is told, as JSON. */
export type MortalTask = {
  readonly world: WorldDescription
  readonly home: string
  readonly id: Hash
  /** The number of the moment at which it dies. */
  readonly diesAt?: number
}

const { world: description, home, id, diesAt }: MortalTask = JSON.parse(process.argv[2] ?? '{}')
const say = (line: string) => process.stdout.write(`${line}\n`)
let moments = 0
const moment = (what: string) => {
  moments += 1
  if (moments !== diesAt) return
  say(`dies ${what}`)
  process.kill(process.pid, 'SIGKILL')
}

/** The same function with a moment before it and one after it. */
function mortal<Args extends readonly unknown[], Result>(
  name: string,
  work: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  return async (...args) => {
    moment(`before ${name}`)
    const result = await work(...args)
    moment(`after ${name}`)
    return result
  }
}

function mortalJournal(journal: Journal): Journal {
  return {
    ...journal,
    addIntent: mortal('addIntent', journal.addIntent),
    claimNonce: mortal('claimNonce', journal.claimNonce),
    addAttempt: mortal('addAttempt', journal.addAttempt),
    noteMined: mortal('noteMined', journal.noteMined),
    settle: mortal('settle', journal.settle),
  }
}

await using open = await openStore({ home, clock: systemClock })
const store: Store = {
  ...open,
  journal: mortalJournal(open.journal),
  transaction: (work) => mortal('transaction', () => open.transaction(work))(),
  beats: { save: mortal('beat', open.beats.save) },
}
const node = globalThis.fetch
globalThis.fetch = mortal('the node', node)

/** No rhythm: nothing on the chain would keep a second landing out. */
const eager: Strategy = async () => ({ is: 'swap', from: 'USDC', to: 'WETH', cents: 500n, because: 'always' })
const world = connectDevnet(description)
const golem = await createGolem(partsOf(world, store, id, { strategy: eager }))
for (let ticks = 0; diesAt !== undefined || ticks < 2; ticks += 1) {
  const { is } = await golem.tick()
  say(`${is} ${moments}`)
}
