/**
 * Runs four Golems under `bardo worker` against a failing node and a failing database, and prints the results:
 * `npm run test:faults`. After each fault, no Golem may have died, no intent may have landed twice or be lost (checked with
 * the events, the journal and the redemptions on the chain), and every Golem must trade within 30 seconds of the fault's end.
 * `-- --only NAME` runs one fault; `-- --seconds N` sets how long each lasts.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { systemClock } from '@bardo/chain'
import { startDevnet } from '@bardo/devnet'
import { openStore, type StoredEvent } from '@bardo/store'
import { startPostgres } from '@bardo/store/testing/postgres'
import { createPublicClient, type Hash, http } from 'viem'
import { localChain } from '../../context/findChain.ts'
import { runBardo } from '../runBardo.ts'
import { startBardo } from '../startBardo.ts'
import { nodeFaults, startFaultyNode } from './faultyNode.ts'
import { type Books, readBooks, readRedemptions } from './readBooks.ts'

const { values } = parseArgs({
  options: { only: { type: 'string' }, seconds: { type: 'string', default: '30' } },
})
const faultMs = Number(values.seconds) * 1_000
const longestRecoveryMs = 30_000
/** Measured beyond the limit too, so that the next fault starts with Golems that trade. */
const giveUpMs = 180_000
const golems = 4
const deepestReorg = 8
const strategy = 'Every minute, swap $1 of USDC into WETH.\nbudget: $500/day\nlifespan: 30 days\n'
const heartbeat = '## Schedule\n\n- interval: 15 seconds\n- fastest: 5 seconds\n- slowest: 15 seconds\n'

await using opened = new AsyncDisposableStack()
const world = opened.use(await startDevnet({ port: 0 }))
const server = opened.use(await startPostgres())
const node = opened.use(await startFaultyNode(world.url))
const home = mkdtempSync(join(tmpdir(), 'bardo-faults-'))
opened.defer(() => rmSync(home, { recursive: true, force: true }))
const databaseUrl = await server.createDatabase()
const store = opened.use(await openStore({ databaseUrl, clock: systemClock }))
const env = { DATABASE_URL: databaseUrl }
/** Trades that the last reorganisation removed. */
let removedTrades = 0
/** Whether the chain's clock is stopped. */
let isStill = false

/** A client that does not mine: Bardo's own client mines if the last block is old. */
const client = createPublicClient({ chain: world.chain, transport: http(world.url), cacheTime: 0 })
const chain = { ...localChain(world.description), client }

const faults: Readonly<Record<string, () => Promise<void>>> = {
  none: () => pause(faultMs),
  ...Object.fromEntries(
    Object.entries(nodeFaults).map(([name, fault]) => [
      name,
      async () => {
        node.fault = fault
        await pause(faultMs)
        node.fault = undefined
      },
    ]),
  ),
  async 'base-fee-spike'() {
    const until = Date.now() + faultMs
    while (Date.now() < until) {
      await world.client.setNextBlockBaseFeePerGas({ baseFeePerGas: 600_000_000_000n })
      await world.client.mine({ blocks: 1 })
      await pause(1_000)
    }
    await world.client.setNextBlockBaseFeePerGas({ baseFeePerGas: 1_000_000_000n })
    await world.client.mine({ blocks: 1 })
  },
  async 'database-restart'() {
    await server.stop()
    await pause(faultMs)
    await server.start()
  },
  /** A fail-over: several short outages. */
  async 'database-restarts'() {
    for (const _ of [1, 2, 3]) {
      await server.stop()
      await server.start()
      await pause(faultMs / 3)
    }
  },
  ...Object.fromEntries(
    Array.from({ length: deepestReorg }, (_, at) => [`reorg-${at + 1}`, () => removeBlocks(at + 1)]),
  ),
}

const file = (name: string, text: string) => {
  const path = join(home, name)
  writeFileSync(path, text)
  return path
}
file('devnet.json', JSON.stringify(world.description))
const files = [file('STRATEGY.md', strategy), '--heartbeat', file('HEARTBEAT.md', heartbeat)]
for (let number = 1; number <= golems; number += 1) {
  const { exit, stderr } = await runBardo(
    ['summon', ...files, '--name', `golem ${number}`, '--yes', '--home', home, '--json'],
    env,
  )
  if (exit !== 0) throw new TypeError(stderr)
}
// A reorganisation must remove only trades, not a Golem's registration or its first gas.
await world.client.mine({ blocks: deepestReorg })
const worker = startBardo(['worker', '--home', home, '--rpc', node.url], env)
opened.defer(async () => {
  worker.signal('SIGTERM')
  await worker.ended
})
await worker.until(({ type }) => type === 'ready')
// The interval of a minute uses the chain's time, which runs ten times as fast.
const moving = new AbortController()
const moved = moveTime(moving.signal)
opened.defer(() => {
  moving.abort()
  return moved
})
if (!(await allTrade(0))) throw new TypeError('The Golems do not trade before the first fault.')

const names = Object.keys(faults).filter((name) => values.only === undefined || name === values.only)
if (names.length === 0) console.error(`Unknown fault. Choose one of: ${Object.keys(faults).join(', ')}`)
let broken = names.length === 0 ? 1 : 0
let last = await readBooks(store, chain)
for (const name of names) {
  await faults[name]?.()
  const endedAt = Date.now()
  const trade = await allTrade((await store.audit.head()).sequence)
  const books = await closedBooks()
  const { deaths, double, lost, told, byRoot } = books
  const tookMs = trade ? trade.at - endedAt : Number.POSITIVE_INFINITY
  const isGood = tookMs <= longestRecoveryMs && deaths + double + lost === 0
  if (!isGood) broken += 1
  const redeemed = redemptionsIn(books) - redemptionsIn(last)
  console.log(
    `${isGood ? '✓' : '✗'} ${name.padEnd(20)} all trade again after ${trade ? (tookMs / 1_000).toFixed(1) : 'over 180'} s; ` +
      `${deaths} deaths, ${double} double, ${lost} lost; ${redeemed} redemptions, ${told - last.told} landing events` +
      (removedTrades > 0 ? `; ${removedTrades} trades removed` : ''),
  )
  for (const finding of books.findings) console.log(`  ${finding}`)
  removedTrades = 0
  last = books
  if (byRoot.size !== golems) console.log(`  the chain shows redemptions of ${byRoot.size} roots`)
}
for (const [root, count] of last.byRoot)
  console.log(`root ${root.slice(0, 10)}…: ${count} redemptions on the chain`)
console.log(
  `${names.length} faults: ${broken} broken; ${last.deaths} deaths, ${last.double} double, ${last.lost} lost; ` +
    `${redemptionsIn(last)} redemptions on the chain, ${last.told} landing events`,
)
process.exitCode = broken === 0 ? 0 : 1

async function askNode(method: string, params: readonly unknown[]): Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const headers = { 'content-type': 'application/json' }
  const { ok } = await fetch(world.url, { method: 'POST', body, headers })
  if (!ok) throw new TypeError(`The node refused ${method}.`)
}

async function moveTime(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await pause(3_000)
    if (!isStill) await world.warp(30)
  }
}

/**
 * Replaces the newest blocks with empty ones as soon as one of them holds a trade that is final in the journal. Their
 * transactions are then neither on the chain nor in the pool.
 */
async function removeBlocks(depth: number): Promise<void> {
  const until = Date.now() + giveUpMs
  const before = new Set(await redeemedTransactions())
  isStill = true
  try {
    // Mine no other block until one has a trade.
    await world.client.increaseTime({ seconds: 120 })
    while (Date.now() < until) {
      const head = await world.client.getBlockNumber()
      const newest = await readRedemptions(chain, head - BigInt(depth - 1))
      const isLanded = await Promise.all(newest.map(({ transaction }) => isSettled(transaction)))
      if (!isLanded.includes(true)) {
        await pause(20)
        continue
      }
      for (const { transaction } of newest) before.add(transaction)
      await askNode('anvil_reorg', [depth, []])
      const left = await redeemedTransactions()
      removedTrades = [...before].filter((one) => !left.has(one)).length
      if (removedTrades > 0) return
    }
    throw new TypeError('No trade could be removed.')
  } finally {
    isStill = false
  }
}

/** Whether the journal has settled the intent of a transaction. */
async function isSettled(hash: Hash): Promise<boolean> {
  const { from, nonce } = await world.client.getTransaction({ hash })
  const [record] = await store.journal.from({ chainId: world.chainId, from }, nonce)
  return record?.settlement?.kind === 'landed'
}

async function redeemedTransactions(): Promise<ReadonlySet<Hash>> {
  return new Set((await readRedemptions(chain)).map(({ transaction }) => transaction))
}

/** The trade after which every Golem has traded again since a moment; undefined if that does not happen. */
async function allTrade(after: number): Promise<StoredEvent | undefined> {
  const traded = new Set<string>()
  const signal = AbortSignal.timeout(giveUpMs)
  for await (const event of store.events.subscribe({ after, signal }))
    if (isTrade(event) && traded.add(event.golem).size === golems) return event
  return undefined
}

/** A trade, or a removed trade that landed again: the next one is due a minute later. */
function isTrade({ name, body }: StoredEvent): boolean {
  return (
    name === 'action.landed' || (name === 'submission.landedAgain' && JSON.stringify(body).includes(':act"'))
  )
}

/** The books, once nothing is lost: an undone landing is sent again when the key is next used. */
async function closedBooks(): Promise<Books> {
  const until = Date.now() + longestRecoveryMs
  for (;;) {
    const books = await readBooks(store, chain)
    if (books.lost === 0 || Date.now() > until) return books
    await pause(1_000)
  }
}

function redemptionsIn({ byRoot }: Books): number {
  return [...byRoot.values()].reduce((sum, count) => sum + count, 0)
}
