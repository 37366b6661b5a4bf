import { systemClock, watch } from '@bardo/chain'
import { hashDelegation, isRoot, type JournalRecord } from '@bardo/core'
import type { Store, StoredEvent } from '@bardo/store'
import type { Address, Hash } from 'viem'
import type { ChainConnection } from '../../context/findChain.ts'

/** The events, the journal and the chain of all Golems together. */
export type Books = {
  readonly deaths: number
  /** Landings reported twice, and redemptions on the chain beyond one per intent of the journal. */
  readonly double: number
  /** Intents without an outcome, landings that are not on the chain, and redemptions reported as refused or postponed. */
  readonly lost: number
  /** A sentence for each lost intent. */
  readonly findings: readonly string[]
  /** Landings in the events. */
  readonly told: number
  /** Redemptions on the chain by a Golem's key, by the hash of the root. */
  readonly byRoot: ReadonlyMap<Hash, number>
}

/** A redemption from the DelegationManager's events, with its transaction. */
type Redemption = { readonly root: Hash; readonly redeemer: Address; readonly transaction: Hash }

/** Reads the books from a node without a fault. */
export async function readBooks(store: Store, chain: ChainConnection): Promise<Books> {
  const golems = await store.golems.list()
  const keys = (await Promise.all(golems.map(({ id }) => store.sessionKeys.list(id)))).flat()
  const addresses = keys.map(({ address }) => address)
  // Order matters: read ended intents before the chain, and the journal after it, so that neither looks incomplete.
  const intended = intentsIn(await readEvents(store), 'action.intended')
  const pending = await pendingIntents(store)
  const landedBefore = (await readJournal(store, chain, addresses)).filter(isLandedRedemption(chain))
  const redemptions = (await readRedemptions(chain)).filter(({ redeemer }) =>
    addresses.some((address) => address.toLowerCase() === redeemer.toLowerCase()),
  )
  const journal = await readJournal(store, chain, addresses)
  const events = await readEvents(store)

  const landed = intentsIn(events, 'action.landed')
  // The node drops transactions that a reorganisation removes: only Bardo could land them later.
  const notLanded = new Set([
    ...intentsIn(events, 'action.refused'),
    ...intentsIn(events, 'action.postponed'),
  ])
  const transactions = events.flatMap(({ name, body }) =>
    name === 'action.landed' ? [fieldsOf(body)['transaction']] : [],
  )
  const toldTwice = landed.length - new Set(landed).size + (landed.length - new Set(transactions).size)
  const owners = new Map(
    journal.flatMap(({ intent, attempts }) => attempts.map(({ hash }) => [hash, intent.id] as const)),
  )
  const served = redemptions.map(({ transaction }) => owners.get(transaction))
  const redeemedTwice = served.length - new Set(served.filter((intent) => intent !== undefined)).size

  const ended = new Set([...landed, ...notLanded])
  const endless = intended.filter((intent) => !ended.has(intent) && !pending.has(intent))
  const onChain = new Set(redemptions.map(({ transaction }) => transaction))
  const goneFromChain = landedBefore.filter(
    ({ settlement }) => settlement?.kind === 'landed' && !onChain.has(settlement.mined.hash),
  )
  const journalled = new Set<unknown>(journal.map(({ intent }) => intent.id))
  const toldOnly = landed.filter((intent) => !journalled.has(intent))
  const toldOtherwise = served.filter((intent) => notLanded.has(intent))

  const findings = [
    ...endless.map((intent) => `${intent} has no outcome`),
    ...goneFromChain.map(
      ({ intent, nonce }) => `${intent.id} landed at nonce ${nonce} but is not on the chain`,
    ),
    ...toldOnly.map((intent) => `${intent} is reported as landed but is not in the journal`),
    ...toldOtherwise.map((intent) => `${intent} is reported as refused or postponed but is on the chain`),
  ]
  const byRoot = new Map<Hash, number>()
  for (const { root } of redemptions) byRoot.set(root, (byRoot.get(root) ?? 0) + 1)
  return {
    deaths: events.filter(({ name }) => name === 'DeathProtocolStarted').length,
    double: toldTwice + redeemedTwice,
    lost: findings.length,
    findings,
    told: landed.length,
    byRoot,
  }
}

async function pendingIntents(store: Store): Promise<ReadonlySet<unknown>> {
  const pending = new Set<unknown>()
  for (const { id } of await store.golems.list()) {
    const { pending: open } = fieldsOf((await store.golemStates.find(id))?.state)
    pending.add(fieldsOf(open)['intentId'])
  }
  return pending
}

/** Every transaction that these keys signed. */
async function readJournal(
  store: Store,
  { deployment: { chainId } }: ChainConnection,
  keys: readonly Address[],
): Promise<readonly JournalRecord[]> {
  return (await Promise.all(keys.map((from) => store.journal.from({ chainId, from }, 0)))).flat()
}

function isLandedRedemption({ deployment }: ChainConnection) {
  const manager = deployment.framework.DelegationManager.toLowerCase()
  return ({ intent, settlement }: JournalRecord) =>
    intent.to.toLowerCase() === manager &&
    settlement?.kind === 'landed' &&
    settlement.mined.status === 'success'
}

/** Every redemption since a block, one per root. */
export async function readRedemptions(
  { client, deployment }: ChainConnection,
  from = 0n,
): Promise<readonly Redemption[]> {
  const redemptions: Redemption[] = []
  const filters = { kinds: ['redeemed' as const] }
  for await (const seen of watch({ client, deployment, from, filters, clock: systemClock })) {
    if (seen.type === 'reached') break
    if (seen.type !== 'event' || seen.event.type !== 'redeemed' || !isRoot(seen.event.delegation)) continue
    const { delegation, redeemer } = seen.event
    redemptions.push({ root: hashDelegation(delegation), redeemer, transaction: seen.transactionHash })
  }
  return redemptions
}

async function readEvents(store: Store): Promise<readonly StoredEvent[]> {
  const events: StoredEvent[] = []
  for (;;) {
    const more = await store.events.read({ after: events.at(-1)?.sequence ?? 0, limit: 500 })
    events.push(...more)
    if (more.length < 500) return events
  }
}

function intentsIn(events: readonly StoredEvent[], name: string): readonly unknown[] {
  return events.filter((event) => event.name === name).map(({ body }) => fieldsOf(body)['intent'])
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
