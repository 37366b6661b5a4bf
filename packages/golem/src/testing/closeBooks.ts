import { systemClock, watch } from '@bardo/chain'
import { type JournalRecord, minedTransaction } from '@bardo/core'
import type { Devnet } from '@bardo/devnet'
import type { Store, StoredEvent } from '@bardo/store'
import { type Address, erc20Abi, getAbiItem, type Hash, isAddressEqual } from 'viem'
import { z } from 'zod'
import { loadPermission } from '../permission/signedPermission.ts'
import { readSnapshot, type Snapshot } from '../snapshot/readSnapshot.ts'
import { readStoredState } from '../state/storedState.ts'
import { partsOf } from './golemWorld.ts'

/** A dead Golem, and the facts about it from outside. */
export type Subject = {
  readonly id: Hash
  readonly account: Address
  /** Its session key. */
  readonly key: Address
  /**
   * All intents that its processes announced before writing them to the journal, and each capability they
   * used.
   */
  readonly intents: readonly string[]
  readonly permits: readonly string[]
}

/** The comparison of chain, journal, ledger and events over all lives. */
export type Books = {
  /** Actions that landed. */
  readonly landed: number
  readonly doubleLandings: number
  /** Signed or decided, and neither landed nor certain never to land. */
  readonly lostIntents: number
  /** All other disagreements, as sentences. */
  readonly broken: readonly string[]
}

type Sent = { readonly hash: Hash; readonly from: Address; readonly nonce: number }

const landedBody = z.object({ intent: z.string(), transaction: z.string(), spentCents: z.coerce.bigint() })
const intendedBody = z.object({ intent: z.string() })
const centInUsdc = 10_000n
const recordedOnce = ['DeathProtocolStarted', 'GOLEM_TERMINAL', 'PERMISSION_REVOKED', 'DeathCompleted']

/** Compares everything that was recorded with the chain, from a block on. */
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
      ...(report.type === 'intact' ? [] : [`the audit chain is ${JSON.stringify(report)}`]),
    ],
  }
}

/** All facts about one finished life. */
type Facts = {
  readonly manager: Address
  readonly sent: readonly Sent[]
  readonly redeemed: number
  readonly records: readonly JournalRecord[]
  readonly open: number
  readonly events: readonly StoredEvent[]
  /** The last decision, if the death came before its end. */
  readonly pending: string | undefined
  readonly seen: Snapshot
  /** Units of USDC that left the account. */
  readonly gone: bigint
  /** The intents that used a capability. */
  readonly consumers: readonly string[]
  readonly hasKey: boolean
}

async function booksOf(
  world: Devnet,
  store: Store,
  subject: Subject,
  all: readonly Sent[],
  since: bigint,
): Promise<Books> {
  const { id, key, account } = subject
  const parts = partsOf(world, store, id)
  const consumers = await Promise.all(subject.permits.map((permit) => consumerOf(store, permit)))
  const records = await Promise.all(subject.intents.map((intent) => store.journal.find(intent)))
  const facts: Facts = {
    manager: world.addresses.delegationManager,
    sent: all.filter(({ from }) => isAddressEqual(from, key)),
    redeemed: await redemptionsOf(world, store, subject, since),
    records: records.filter((record) => record !== undefined),
    open: (await store.journal.open({ chainId: world.chainId, from: key })).length,
    events: await store.events.read({ after: 0, golem: id, limit: 10_000 }),
    pending: readStoredState((await store.golemStates.find(id))?.state).pending?.intentId,
    seen: await readSnapshot(parts, await loadPermission(parts)),
    gone: await outflowOf(world, account, since),
    consumers: consumers.filter((intent) => intent !== undefined),
    hasKey: (await parts.keys.open()) !== undefined,
  }
  const doubles = doubleLandings(facts)
  const lost = lostIntents(facts)
  const others = [
    ...sendings(facts),
    ...tellings(facts),
    ...spendings(facts),
    ...capabilities(facts),
    ...end(facts),
  ]
  return {
    landed: landedActs(facts).length,
    doubleLandings: doubles,
    lostIntents: lost.length,
    broken: [...lost.map((intent) => `${intent} was lost`), ...others].map(
      (what) => `${id.slice(0, 10)}: ${what}`,
    ),
  }
}

/** The sentence if the condition does not hold. */
const unless = (isSo: boolean, words: string): string[] => (isSo ? [] : [words])

const actsOf = ({ records }: Facts) => records.filter(({ intent }) => intent.id.endsWith(':act'))
const landedActs = (facts: Facts) => actsOf(facts).filter(({ settlement }) => settlement?.kind === 'landed')

const redemptions = ({ records, manager }: Facts) =>
  records.filter(
    ({ intent, settlement }) => isAddressEqual(intent.to, manager) && settlement?.kind === 'landed',
  )

/** The intent of each transaction, according to the journal. */
const ownersOf = ({ records }: Facts) =>
  new Map(records.flatMap((record) => record.attempts.map(({ hash }) => [hash, record.intent.id])))

/** Redemptions of ticks without a decision: the same action again, under another id. */
function undecided(facts: Facts): readonly JournalRecord[] {
  const decided = new Set(decisionsIn(facts.events))
  return redemptions(facts).filter(({ intent: { id } }) => !id.includes(':death:') && !decided.has(id))
}

/** By nonce and by redemption: more than one for an intent, or one without a journal entry or a decision. */
function doubleLandings(facts: Facts): number {
  const owners = ownersOf(facts)
  const served = new Set(facts.sent.flatMap(({ hash }) => owners.get(hash) ?? []))
  const unserved = facts.sent.length - served.size
  return Math.max(unserved + undecided(facts).length, facts.redeemed - redemptions(facts).length)
}

/**
 * Signed but not on the chain, or decided but never done. The death may have come before the last decision
 * was sent.
 */
function lostIntents(facts: Facts): readonly string[] {
  const { sent, records, events, pending } = facts
  const used = new Map(sent.map(({ nonce, hash }) => [nonce, hash]))
  const recorded = new Set(landingsIn(events).map(({ intent }) => intent))
  const uncertain = records.filter((record) => !isCertain(record, used)).map(({ intent }) => intent.id)
  const undone = decisionsIn(events).filter((intent) => !recorded.has(intent) && intent !== pending)
  return [...new Set([...uncertain, ...undone])]
}

/** Each transaction of the key is in the journal, and each intent has one. */
function sendings(facts: Facts): readonly string[] {
  const { sent, records, redeemed, open } = facts
  const owners = ownersOf(facts)
  const strangers = sent.filter(({ hash }) => !owners.has(hash))
  const landed = redemptions(facts).length
  return [
    ...strangers.map(({ hash, nonce }) => `${hash} at nonce ${nonce} is not in the journal`),
    ...undecided(facts).map(({ intent }) => `${intent.id} landed and was never decided`),
    ...unless(redeemed === landed, `${redeemed} redemptions for ${landed} intents`),
    ...unless(records.length === sent.length, `${records.length} intents for ${sent.length} transactions`),
    ...unless(open === 0, `${open} intents are open`),
  ]
}

/** The events match what happened, once each. */
function tellings(facts: Facts): readonly string[] {
  const landings = landingsIn(facts.events)
  const decisions = decisionsIn(facts.events)
  const recorded = new Map(landings.map(({ intent, transaction }) => [intent, transaction]))
  const landed = landedActs(facts)
  return [
    ...unless(recorded.size === landings.length, 'a landing was recorded twice'),
    ...unless(new Set(decisions).size === decisions.length, 'a decision was recorded twice'),
    ...unless(
      recorded.size === landed.length,
      `${recorded.size} landings recorded, ${landed.length} in the journal`,
    ),
    ...landed.flatMap(({ intent, mined }) =>
      unless(
        recorded.get(intent.id) === (mined && minedTransaction(mined)),
        `${intent.id} was not recorded as it landed`,
      ),
    ),
  ]
}

/** The Cage, the account and the events agree on the money. */
function spendings({ events, seen, gone }: Facts): readonly string[] {
  const spent = landingsIn(events).reduce((sum, { spentCents }) => sum + spentCents, 0n)
  return [
    ...unless(seen.day.spent === spent, `the Cage counts ${seen.day.spent} cents, the events ${spent}`),
    ...unless(
      gone === spent * centInUsdc,
      `${gone} units of USDC left the account, the events count ${spent} cents`,
    ),
  ]
}

/** One capability for each action. */
function capabilities(facts: Facts): readonly string[] {
  const { consumers } = facts
  return [
    ...unless(new Set(consumers).size === consumers.length, 'an intent used two capabilities'),
    ...actsOf(facts).flatMap(({ intent }) =>
      unless(consumers.includes(intent.id), `${intent.id} was sent without a capability`),
    ),
  ]
}

/** The Golem is dead on the chain, and each final event is recorded once. */
function end({ events, seen, hasKey }: Facts): readonly string[] {
  const times = (name: string) => events.filter((event) => event.name === name).length
  return [
    ...unless(seen.vitals.state === 'dead', `its row on the chain is ${seen.vitals.state}`),
    ...unless(!hasKey, 'its key is not wiped'),
    ...recordedOnce.flatMap((name) => unless(times(name) === 1, `${name} was recorded ${times(name)} times`)),
  ]
}

/**
 * Landed, and on the chain at the same nonce. Only this process has the key, so there is no other valid
 * outcome.
 */
function isCertain({ nonce, attempts, settlement }: JournalRecord, used: ReadonlyMap<number, Hash>): boolean {
  if (settlement?.kind !== 'landed' || nonce === undefined) return false
  const hash = used.get(nonce)
  return hash === settlement.mined.hash && attempts.some((attempt) => attempt.hash === hash)
}

const landingsIn = (events: readonly StoredEvent[]) => bodiesOf(events, 'action.landed', landedBody)
const decisionsIn = (events: readonly StoredEvent[]) =>
  bodiesOf(events, 'action.intended', intendedBody).map(({ intent }) => intent)

function bodiesOf<Body>(events: readonly StoredEvent[], name: string, schema: z.ZodType<Body>): Body[] {
  return events.filter((event) => event.name === name).map(({ body }) => schema.parse(body))
}

async function consumerOf(store: Store, capabilityId: string): Promise<string | undefined> {
  return (await store.capabilities.find(capabilityId))?.consumedBy
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

/** Units of USDC that left the account, not netted. */
async function outflowOf({ client, addresses }: Devnet, from: Address, since: bigint): Promise<bigint> {
  const event = getAbiItem({ abi: erc20Abi, name: 'Transfer' })
  const logs = await client.getLogs({
    address: addresses.usdc,
    event,
    args: { from },
    fromBlock: since,
    strict: true,
  })
  return logs.reduce((sum, { args }) => sum + args.value, 0n)
}

/** The number of redemptions by the key, according to the manager's events. */
async function redemptionsOf(
  world: Devnet,
  store: Store,
  { id, account, key }: Subject,
  since: bigint,
): Promise<number> {
  const { client, deployment } = partsOf(world, store, id)
  const filters = { kinds: ['redeemed' as const], delegators: [account] }
  let redeemed = 0
  for await (const seen of watch({ client, deployment, from: since, filters, clock: systemClock })) {
    if (seen.type === 'reached') break
    if (seen.type !== 'event' || seen.event.type !== 'redeemed') continue
    if (isAddressEqual(seen.event.redeemer, key)) redeemed += 1
  }
  return redeemed
}
