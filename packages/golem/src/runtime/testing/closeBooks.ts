import { systemClock, watch } from '@bardo/chain'
import type { JournalRecord } from '@bardo/core'
import type { Devnet } from '@bardo/devnet'
import type { Store, StoredEvent } from '@bardo/store'
import { type Address, erc4626Abi, type Hash, isAddressEqual, parseEventLogs } from 'viem'
import { z } from 'zod'
import { deathIntentId, deathSteps } from '../../death/death.ts'
import { loadCharter } from '../charter.ts'
import { readWorld } from '../readWorld.ts'
import { readStoredDeath, readStoredState } from '../storedLife.ts'
import { balanceOf, partsOf } from './golemWorld.ts'

/** A Golem that is dead, and what is known of it from outside. */
export type Subject = {
  readonly id: Hash
  readonly account: Address
  /** Its session key. */
  readonly key: Address
  /** What the account had of USDC in the beginning. */
  readonly opening: bigint
  /** Capabilities that were used, as its processes told. */
  readonly permits: ReadonlySet<string>
}

/** What the chain, the journal, the ledger and the record of events say of all lives together. */
export type Books = {
  /** Actions that landed. */
  readonly landed: number
  readonly doubleLandings: number
  /** Signed, or decided, and neither landed nor certain never to. */
  readonly lostIntents: number
  /** Whatever else does not agree, in words. */
  readonly broken: readonly string[]
}

type Sent = { readonly hash: Hash; readonly from: Address; readonly nonce: number }

const landedBody = z.object({ intent: z.string(), transaction: z.string(), spentCents: z.coerce.bigint() })
const intendedBody = z.object({ intent: z.string() })
const centInUsdc = 10_000n
const settlingSteps = ['settle', 'settleLate'] as const
const toldOnce = ['DeathProtocolStarted', 'GOLEM_TERMINAL', 'PERMISSION_REVOKED', 'DeathCompleted']

/** Compares all that was written down with the chain, from a block on. */
export async function closeBooks(
  world: Devnet,
  store: Store,
  subjects: readonly Subject[],
  since: bigint,
): Promise<Books> {
  const sent = await transactionsSince(world, since)
  const books = await Promise.all(subjects.map((subject) => booksOf(world, store, subject, sent, since)))
  const report = await store.audit.verify()
  const sum = (amount: (book: Books) => number) => books.reduce((total, book) => total + amount(book), 0)
  return {
    landed: sum(({ landed }) => landed),
    doubleLandings: sum(({ doubleLandings }) => doubleLandings),
    lostIntents: sum(({ lostIntents }) => lostIntents),
    broken: [
      ...books.flatMap(({ broken }) => broken),
      ...(report.is === 'intact' ? [] : [`the record of events is ${JSON.stringify(report)}`]),
    ],
  }
}

async function booksOf(
  world: Devnet,
  store: Store,
  subject: Subject,
  all: readonly Sent[],
  since: bigint,
): Promise<Books> {
  const { id, key, account } = subject
  const broken: string[] = []
  const expect = (isSo: boolean, otherwise: string) => {
    if (!isSo) broken.push(`${id.slice(0, 10)}: ${otherwise}`)
  }

  const records = await recordsOf(store, id)
  const events = await eventsOf(store, id)
  const sent = all.filter(({ from }) => isAddressEqual(from, key))
  const redeemed = await redemptionsOf(world, store, subject, since)

  // By nonce: each transaction of the key is one that the journal knows, and each intent has one at most.
  const owners = new Map(records.flatMap((record) => record.attempts.map(({ hash }) => [hash, record])))
  const strangers = sent.filter(({ hash }) => !owners.has(hash))
  const owned = sent.length - strangers.length
  const twice = owned - new Set(sent.flatMap(({ hash }) => owners.get(hash) ?? [])).size
  for (const { hash, nonce } of strangers) expect(false, `${hash} at nonce ${nonce} is not in the journal`)

  // By redemption: as many as intents to act that landed.
  const acts = records.filter(({ intent }) => intent.id.endsWith(':act'))
  const done = acts.filter(({ settlement }) => settlement?.kind === 'landed')
  const closings = await closingsOf(world, store, id)
  const wanted = done.length + closings.length
  const moreRedeemed = Math.max(0, redeemed.length - wanted)
  expect(redeemed.length === wanted, `${redeemed.length} redemptions for ${wanted} intents`)

  const used = new Map(sent.map(({ nonce, hash }) => [nonce, hash]))
  const lost = records.filter((record) => !isCertain(record, used))
  for (const { intent, settlement } of lost) expect(false, `${intent.id} is lost: ${settlement?.kind}`)
  const sender = { chainId: world.chainId, from: key }
  expect((await store.journal.open(sender)).length === 0, 'the journal has something open')
  expect((await store.journal.highestNonce(sender)) === sent.length - 1, 'a nonce was claimed for nothing')
  expect(records.length === sent.length, `${records.length} intents for ${sent.length} transactions`)

  // What it told is what happened: once, and with its money.
  const landings = bodiesOf(events, 'action.landed', landedBody)
  const told = new Map(landings.map(({ intent, transaction }) => [intent, transaction]))
  expect(told.size === landings.length, 'a landing was told twice')
  expect(told.size === done.length, `${told.size} landings told, ${done.length} in the journal`)
  for (const { intent, mined } of done)
    expect(told.get(intent.id) === mined?.hash, `${intent.id} was not told as it landed`)
  const intended = bodiesOf(events, 'action.intended', intendedBody).map(({ intent }) => intent)
  expect(new Set(intended).size === intended.length, 'a decision was told twice')
  const state = readStoredState((await store.lives.find(id))?.state)
  // The last decision may have met the death: it is certain not to be sent where the journal never had it.
  const unfinished = intended.filter((intent) => !told.has(intent) && state.pending?.intentId !== intent)
  for (const intent of unfinished) expect(false, `${intent} was decided and never done`)

  const spent = landings.reduce((sum, { spentCents }) => sum + spentCents, 0n)
  const parts = partsOf(world, store, id)
  const seen = await readWorld(parts, await loadCharter(parts))
  expect(seen.day.spent === spent, `the Cage counts ${seen.day.spent} cents, the events ${spent}`)
  const gone = subject.opening - (await balanceOf(world, world.addresses.usdc, account))
  const back = closings.reduce((sum, { received }) => sum + received, 0n)
  expect(
    gone === spent * centInUsdc - back,
    `${gone} units of USDC are gone; ${spent} cents told, ${back} units back`,
  )

  const consumers = await Promise.all([...subject.permits].map((permit) => consumerOf(store, permit)))
  const consumed = consumers.filter((intent) => intent !== undefined)
  expect(new Set(consumed).size === consumed.length, 'an intent used two capabilities')
  for (const { intent } of acts)
    expect(consumed.includes(intent.id), `${intent.id} was sent without a capability`)

  expect(seen.vitals.state === 'dead', `its row on the chain is ${seen.vitals.state}`)
  expect((await parts.keys.open()) === undefined, 'its key is still there')
  for (const name of toldOnce)
    expect(events.filter((event) => event.name === name).length === 1, `${name} was not told once`)

  return {
    landed: done.length,
    doubleLandings: strangers.length + twice + moreRedeemed,
    lostIntents: lost.length + unfinished.length,
    broken,
  }
}

/** Landed, and the chain has it at that very nonce. Nobody else has the key, so that there is no other good end. */
function isCertain({ nonce, attempts, settlement }: JournalRecord, used: ReadonlyMap<number, Hash>): boolean {
  if (settlement?.kind !== 'landed' || nonce === undefined) return false
  const hash = used.get(nonce)
  return hash === settlement.mined.hash && attempts.some((attempt) => attempt.hash === hash)
}

/** All that a Golem can ever have written into the journal, by the names that its ticks and its death have. */
async function recordsOf(store: Store, id: Hash): Promise<readonly JournalRecord[]> {
  const life = await store.lives.find(id)
  const { tick } = readStoredState(life?.state)
  const death = readStoredDeath(life?.death)
  const ticks = Array.from({ length: tick + 1 }, (_, index) => index + 1)
  const positions = death ? [...death.unwound.settled, ...death.unwound.deferred] : []
  const names = [
    ...ticks.flatMap((number) => [`${id}:tick:${number}:publish`, `${id}:tick:${number}:act`]),
    ...(death ? deathSteps.map(([, step]) => deathIntentId(death, step)) : []),
    ...(death ? settlingSteps.map((step) => deathIntentId(death, step)) : []).flatMap((step) =>
      positions.map((position) => `${step}:${position.id}`),
    ),
  ]
  const found = await Promise.all(names.map((name) => store.journal.find(name)))
  return found.filter((record) => record !== undefined)
}

/** What a death took out of vaults, as its transactions tell. */
async function closingsOf({ client }: Devnet, store: Store, id: Hash) {
  const death = readStoredDeath((await store.lives.find(id))?.death)
  return Promise.all(
    (death?.unwound.settled ?? []).map(async ({ transaction }) => {
      const { logs } = await client.getTransactionReceipt({ hash: transaction })
      const paid = parseEventLogs({ abi: erc4626Abi, eventName: 'Withdraw', logs: [...logs] })
      return { transaction, received: paid.reduce((sum, { args }) => sum + args.assets, 0n) }
    }),
  )
}

async function eventsOf(store: Store, golem: Hash): Promise<readonly StoredEvent[]> {
  return store.events.read({ after: 0, golem, limit: 10_000 })
}

function bodiesOf<Body>(events: readonly StoredEvent[], name: string, schema: z.ZodType<Body>): Body[] {
  return events.filter((event) => event.name === name).map(({ body }) => schema.parse(body))
}

async function consumerOf(store: Store, permitId: string): Promise<string | undefined> {
  return (await store.capabilities.find(permitId))?.consumedBy
}

async function transactionsSince({ client }: Devnet, since: bigint): Promise<readonly Sent[]> {
  const sent: Sent[] = []
  const last = await client.getBlockNumber()
  for (let blockNumber = since; blockNumber <= last; blockNumber += 1n) {
    const { transactions } = await client.getBlock({ blockNumber, includeTransactions: true })
    sent.push(...transactions.map(({ hash, from, nonce }) => ({ hash, from, nonce })))
  }
  return sent
}

/** What the manager let through for the account, as its events tell. */
async function redemptionsOf(world: Devnet, store: Store, { id, account, key }: Subject, since: bigint) {
  const { client, deployment } = partsOf(world, store, id)
  const filters = { kinds: ['redeemed' as const], delegators: [account] }
  const redemptions: Hash[] = []
  for await (const seen of watch({ client, deployment, from: since, filters, clock: systemClock })) {
    if (seen.is === 'reached') break
    if (seen.is !== 'event' || seen.event.is !== 'redeemed') continue
    if (isAddressEqual(seen.event.redeemer, key)) redemptions.push(seen.transactionHash)
  }
  return redemptions
}
