import {
  afterTransaction,
  BardoError,
  type Books,
  booksOf,
  type JournalRecord,
  type LedgerTransaction,
  undoneTransaction,
} from '@bardo/core'
import type { LedgerPosting } from '@bardo/store'
import { type Address, BaseError } from 'viem'
import { outageOf } from '../observeOnly/observeOnly.ts'
import type { GolemParts } from '../permission/golemParts.ts'
import type { SignedPermission } from '../permission/signedPermission.ts'
import { entriesOfOutcome, readOutcome, transactionOf } from './readOutcome.ts'

type Context = Pick<GolemParts, 'id' | 'store' | 'client' | 'deployment' | 'book'>

/** More outcomes than this are posted by the next tick. */
const mostOutcomes = 20
/** How often a posting is computed again because another process was faster. */
const mostAttempts = 5

/**
 * What is to be posted to a Golem's ledger: the outcomes of all transactions of its keys that are not in it yet, and
 * further transactions. An outcome that the node cannot show now is left for later. Undefined if there is nothing.
 */
async function readPosting(
  context: Context,
  permission: SignedPermission,
  further: readonly LedgerTransaction[] = [],
): Promise<LedgerPosting | undefined> {
  const { id, store } = context
  const { ledger } = store
  const { number, hasUnposted } = await ledger.state(id)
  if (!hasUnposted)
    return further.length > 0 ? { after: number, transactions: further, records: [] } : undefined
  const [open, balances, keys] = await Promise.all([
    ledger.unposted(id, mostOutcomes),
    ledger.balances(id),
    store.sessionKeys.list(id),
  ])
  const addresses = keys.map(({ address }) => address)
  let books = booksOf(balances)
  const transactions: LedgerTransaction[] = []
  const records: JournalRecord[] = []
  for (const record of open) {
    const added = await outcomeEntries(context, permission, { books, addresses, record })
    if (!added) continue
    for (const transaction of added) books = afterTransaction(books, transaction)
    transactions.push(...added)
    records.push(record)
  }
  if (records.length + further.length === 0) return undefined
  return { after: number, transactions: [...transactions, ...further], records }
}

/**
 * Posts what {@link readPosting} finds, in a transaction of its own. The only other way into a ledger is the write of a
 * tick, which has the same posting. A crash before it changes nothing: the journal keeps the outcome as not posted.
 */
async function postEntries(
  context: Context,
  permission: SignedPermission,
  further: readonly LedgerTransaction[] = [],
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const posting = await readPosting(context, permission, further)
    if (!posting) return
    try {
      return await context.store.transaction(({ post }) => post(context.id, posting))
    } catch (error) {
      const isRace = error instanceof BardoError && error.code === 'STORE_UNAVAILABLE' && error.retryable
      if (!isRace || attempt === mostAttempts) throw error
    }
  }
}

/** {@link readPosting}, if the chain can be read. */
export async function tryReadPosting(
  context: Context,
  permission: SignedPermission,
  further: readonly LedgerTransaction[],
): Promise<LedgerPosting | undefined> {
  return readPosting(context, permission, further).catch(ignoreOutage)
}

/** {@link postEntries}, if the chain can be read. Otherwise the next tick posts. */
export async function tryPostEntries(context: Context, permission: SignedPermission): Promise<void> {
  await postEntries(context, permission).catch(ignoreOutage)
}

/** Neither an outage nor a race is a failure of the caller: what is not posted stays marked in the journal. */
function ignoreOutage(error: unknown): undefined {
  if (outageOf(error) || (error instanceof BardoError && error.retryable)) return undefined
  throw error
}

/** The node does not have the transaction, or does not answer. */
function ignoreUnreadable(error: unknown): undefined {
  if (error instanceof BaseError) return undefined
  return ignoreOutage(error)
}

/** The ledger transactions of a record; undefined if the node cannot show its transaction now. */
async function outcomeEntries(
  context: Context,
  permission: SignedPermission,
  {
    books,
    addresses,
    record,
  }: { readonly books: Books; readonly addresses: readonly Address[]; readonly record: JournalRecord },
): Promise<readonly LedgerTransaction[] | undefined> {
  const hash = transactionOf(record)
  const outcome = hash && (await readOutcome(context, permission, record, hash).catch(ignoreUnreadable))
  if (hash && !outcome) return undefined
  const taken = record.undone ? await takenBack(context, record, outcome?.receipt.blockHash) : []
  let current = books
  for (const transaction of taken) current = afterTransaction(current, transaction)
  return [...taken, ...(outcome ? entriesOfOutcome(current, permission, addresses, outcome) : [])]
}

/** Takes back what was posted for an intent in a block that a reorganisation removed. */
async function takenBack(
  { id, store }: Context,
  { intent }: JournalRecord,
  blockHash: string | undefined,
): Promise<readonly LedgerTransaction[]> {
  const posted = await store.ledger.ofIntent(id, intent.id)
  const sources = new Set(posted.map(({ source }) => source))
  return posted
    .filter(
      ({ kind, source }) =>
        kind !== 'undone' &&
        !sources.has(`undone:${source}`) &&
        (blockHash === undefined || !source.includes(`@${blockHash}`)),
    )
    .map(undoneTransaction)
}
