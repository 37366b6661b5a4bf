import { readState } from '@bardo/chain'
import {
  type Asset,
  afterTransaction,
  type Books,
  decodeRedeemCall,
  type ExchangeKind,
  exchangeEntries,
  gasPaid,
  type Intent,
  type JournalRecord,
  type LedgerEntry,
  type LedgerTransaction,
  ledgerAccounts,
  type Moved,
  minedTransaction,
  moveEntries,
  nativeAsset,
  priceOf,
  priceReads,
  type RedeemedContext,
  transferEntries,
  type Valuation,
} from '@bardo/core'
import {
  type Address,
  erc20Abi,
  getAddress,
  type Hash,
  hexToBigInt,
  isAddressEqual,
  isHex,
  parseEventLogs,
  slice,
  type TransactionReceipt,
  zeroAddress,
  zeroHash,
} from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'
import type { GolemParts } from '../permission/golemParts.ts'
import type { SignedPermission } from '../permission/signedPermission.ts'
import { microsOf } from '../snapshot/prices.ts'

type Context = Pick<GolemParts, 'id' | 'client' | 'deployment' | 'book'>

/** What a transaction of a Golem's key did, and when. */
type Outcome = {
  readonly record: JournalRecord
  readonly receipt: TransactionReceipt
  readonly effect: Effect
  /** What the key sent with it. */
  readonly sentWei: bigint
  readonly at: number
  /** The value of an amount at the prices of its block; undefined without a price. */
  readonly worth: (asset: string, amount: bigint) => Valuation | undefined
}

/** What of a transaction is a Golem's: all of its own, or its UserOperation among those of a bundle. */
type Effect = {
  /** Who pays for the gas; undefined if a paymaster does. */
  readonly payer: Address | undefined
  readonly wei: bigint
  readonly logs: TransactionReceipt['logs']
}

const singleMode = zeroHash

/** The transaction of a settled intent: for a UserOperation the bundler's. Undefined if there is none. */
export function transactionOf({ intent, settlement }: JournalRecord): Hash | undefined {
  if (!settlement || settlement.kind === 'dropped') return undefined
  if (settlement.kind !== 'displaced') return minedTransaction(settlement.mined)
  // What displaced a UserOperation is known by the hash of an operation, which no node finds as a transaction.
  return isOperation(intent) ? undefined : settlement.by
}

function isOperation({ operation }: Intent): boolean {
  return operation !== undefined
}

/**
 * Reads a transaction of a Golem's key from the chain, with the prices of its block. Throws if the node does not
 * have it. Undefined if a reorganisation put another operation there.
 */
export async function readOutcome(
  { client, deployment, book }: Context,
  { terms, book: signed }: SignedPermission,
  record: JournalRecord,
  hash: Hash,
): Promise<Outcome | undefined> {
  const receipt = await client.getTransactionReceipt({ hash })
  const isPlain = record.intent.data === '0x' && !isOperation(record.intent)
  // A sweep sends what its fee leaves, which is known only from the transaction.
  const sentWei = isPlain ? (await client.getTransaction({ hash })).value : record.intent.value
  const native = book.native ?? signed.native
  const assets = new Map<string, Asset>([
    ...[...book.assets.values(), ...terms.mandate.assets].map(
      (asset) => [asset.token.toLowerCase(), asset] as const,
    ),
    ...(native ? [[nativeAsset, native] as const] : []),
  ])
  const effect = effectOf(record, receipt, deployment.framework.EntryPoint)
  if (!effect) return undefined
  const touched = new Set([nativeAsset, ...transfersIn(effect.logs).map(({ asset }) => asset)])
  const priced = [...assets].filter(([name]) => touched.has(name))
  const state = await readState(
    client,
    deployment,
    priceReads(priced.map(([, asset]) => asset)),
    receipt.blockNumber,
  )
  return {
    record,
    receipt,
    effect,
    sentWei,
    at: Number(state.timestamp),
    worth(name, amount) {
      const asset = assets.get(name)
      const price = asset && priceOf(state, asset)
      if (!asset || price === undefined) return undefined
      return { micros: microsOf(amount, price, asset), price, block: receipt.blockNumber }
    },
  }
}

/**
 * The ledger transactions of an outcome: its gas, also of a reverted transaction, and what it moved in the owner's
 * account.
 *
 * @param keys - all keys of the Golem: what one sends to another stays with the keys
 */
export function entriesOfOutcome(
  books: Books,
  { terms, book: signed }: SignedPermission,
  keys: readonly Address[],
  { record, receipt, effect, sentWei, at, worth }: Outcome,
  vaults: readonly Address[] = [...signed.vaults.values()],
): readonly LedgerTransaction[] {
  const { intent } = record
  const { account } = terms.mandate
  const source = `${receipt.transactionHash}@${receipt.blockHash}`
  const details = { intent: intent.id, transaction: receipt.transactionHash }
  const isOwn = (address: Address) => keys.some((key) => isAddressEqual(key, address))
  const { payer, wei, logs } = effect
  // Operations of several Golems can be in one transaction.
  const operation = isOperation(intent) ? `:${intent.id}` : ''
  const gas: readonly LedgerTransaction[] =
    payer && isOwn(payer)
      ? [
          gasPaid({
            source: `${source}${operation}:gas`,
            at,
            details: { ...details, payer, status: receipt.status },
            wei,
            payer: ledgerAccounts.key,
            ...valued(worth(nativeAsset, wei)),
          }),
        ]
      : []
  if (receipt.status !== 'success' || record.settlement?.kind !== 'landed') return gas
  const moves = movesOf()
  return moves ? [...gas, { source: `${source}${operation}:moves`, at, details, ...moves }] : gas

  function movesOf(): Pick<LedgerTransaction, 'kind' | 'entries'> | undefined {
    const out: Moved[] = []
    const into: Moved[] = []
    const nets = Map.groupBy(transfersIn(logs), ({ asset }) => asset)
    for (const [asset, transfers] of nets) {
      const net = transfers.reduce((sum, { from, to, amount }) => {
        const received = isAddressEqual(to, account) ? amount : 0n
        return sum + received - (isAddressEqual(from, account) ? amount : 0n)
      }, 0n)
      const amount = net < 0n ? -net : net
      if (net !== 0n) (net > 0n ? into : out).push({ asset, amount, ...valued(worth(asset, amount)) })
    }
    const natives = nativeMoves()
    if (out.length > 0 && into.length > 0) {
      const type = exchangeKind(out, into)
      return { kind: type, entries: [...exchangeEntries(books, { type, out, into }), ...natives] }
    }
    const direction = into.length > 0 ? 'into' : 'out'
    const isDraw = direction === 'into' && intent.id.includes(':runway:')
    const from = isDraw ? ledgerAccounts.runway : ledgerAccounts.exchange
    const entries: LedgerEntry[] = []
    let current = books
    for (const moved of [...into, ...out]) {
      const added = transferEntries(current, { direction, moved, from })
      current = afterTransaction(current, { entries: added })
      entries.push(...added)
    }
    if (entries.length + natives.length === 0) return undefined
    return { kind: isDraw ? 'runwayDraw' : 'transfer', entries: [...entries, ...natives] }
  }

  function exchangeKind(out: readonly Moved[], into: readonly Moved[]): ExchangeKind {
    const isVault = ({ asset }: Moved) => vaults.some((vault) => vault.toLowerCase() === asset)
    if (into.some(isVault)) return 'deposit'
    return out.some(isVault) ? 'withdrawal' : 'swap'
  }

  /** Native currency that the key sent, or that the account sent by its order. */
  function nativeMoves(): readonly LedgerEntry[] {
    const holderOf = (address: Address) =>
      isOwn(address)
        ? ledgerAccounts.key
        : isAddressEqual(address, account)
          ? ledgerAccounts.account
          : ledgerAccounts.owner
    const sent = { from: intent.from, to: intent.to, value: sentWei }
    const ordered = (decodeRedeemCall(intent.data) ?? []).flatMap(nativeCalls)
    return [sent, ...ordered].flatMap(({ from, to, value }) => {
      const [giver, taker] = [holderOf(from), holderOf(to)]
      return value === 0n || giver === taker
        ? []
        : moveEntries(giver, taker, nativeAsset, value, worth(nativeAsset, value))
    })
  }

  /** The native currency in a single call of the account, which is how gas is drawn. */
  function nativeCalls({ links, execution: { mode, calldata } }: RedeemedContext) {
    const from = links.at(-1)?.delegator
    if (!from || !isAddressEqual(from, account) || mode !== singleMode) return []
    return [{ from, to: getAddress(slice(calldata, 0, 20)), value: hexToBigInt(slice(calldata, 20, 52)) }]
  }
}

/**
 * The part of a receipt that is this intent's. In a bundle, the logs of an operation end with its event. Only the
 * EntryPoint's events count: any contract can emit the same.
 */
function effectOf(
  { intent, settlement }: JournalRecord,
  receipt: TransactionReceipt,
  entryPoint: Address,
): Effect | undefined {
  const { from, gasUsed, effectiveGasPrice, logs } = receipt
  if (!isOperation(intent))
    return { payer: from, wei: gasUsed * effectiveGasPrice + dataFeeOf(receipt), logs }
  const hash = settlement && 'mined' in settlement ? settlement.mined.hash : undefined
  const ends = parseEventLogs({
    abi: entryPoint07Abi,
    eventName: ['BeforeExecution', 'UserOperationEvent'],
    logs: logs.filter(({ address }) => isAddressEqual(address, entryPoint)),
  })
  const own = ends.findIndex(
    (event) => event.eventName === 'UserOperationEvent' && event.args.userOpHash === hash,
  )
  const event = ends[own]
  if (event?.eventName !== 'UserOperationEvent') return undefined
  const { sender, paymaster, actualGasCost } = event.args
  const begun = ends[own - 1]?.logIndex ?? -1
  return {
    payer: isAddressEqual(paymaster, zeroAddress) ? sender : undefined,
    wei: actualGasCost,
    logs: logs.filter(({ logIndex }) => logIndex > begun && logIndex <= event.logIndex),
  }
}

/** The ERC-20 transfers of logs, by token in lower case. */
function transfersIn(logs: TransactionReceipt['logs']) {
  return parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs }).map(({ address, args }) => ({
    asset: address.toLowerCase(),
    from: args.from,
    to: args.to,
    amount: args.value,
  }))
}

/** The data fee of a rollup, which its receipts state beside the gas. */
function dataFeeOf(receipt: object): bigint {
  const fee = 'l1Fee' in receipt ? receipt.l1Fee : undefined
  if (typeof fee === 'bigint') return fee
  return isHex(fee) ? hexToBigInt(fee) : 0n
}

function valued(value: Valuation | undefined) {
  return value && { value }
}
