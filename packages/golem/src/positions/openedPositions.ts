import { type AddressBook, BardoError, leastOf, minedTransaction } from '@bardo/core'
import {
  type Address,
  erc20Abi,
  erc721Abi,
  erc4626Abi,
  type Hash,
  isAddressEqual,
  type Log,
  parseEventLogs,
  zeroAddress,
} from 'viem'
import { z } from 'zod'
import type { GolemParts } from '../permission/golemParts.ts'
import type { SignedPermission } from '../permission/signedPermission.ts'
import { readStoredDeath, readStoredState } from '../state/storedState.ts'
import { signedContracts } from './signedContracts.ts'

/** A position that a Golem opened for the owner, and that may have to be closed. */
export type OpenedPosition =
  | {
      readonly type: 'vault'
      readonly id: string
      readonly vault: Address
      /** Deposited by this Golem, minus what it withdrew. */
      readonly shares: bigint
    }
  | { readonly type: 'liquidity'; readonly id: string; readonly manager: Address; readonly tokenId: bigint }

type Context = Pick<GolemParts, 'id' | 'store' | 'client' | 'deployment' | 'book'>

/** What a reader has read of a life, so that it reads only what is new. */
export type LifeMemory = {
  after: number
  readonly hashes: Set<Hash>
  readonly open: Set<string>
  readonly logs: Map<Hash, readonly Log[]>
}

/** A memory of nothing. */
export function newLifeMemory(): LifeMemory {
  return { after: 0, hashes: new Set(), open: new Set(), logs: new Map() }
}

const page = 1_000
/** The number of receipts to request at once. */
const batchSize = 50
const landing = z.object({ transaction: z.templateLiteral(['0x', z.string()]) })
const acting = z.object({ intent: z.string().optional() })

/**
 * The positions that this Golem has opened, according to its own transactions' receipts, under any root ever
 * signed for it.
 * Positions that the owner, another Golem or a child opened in the same account are not included.
 */
export async function openedPositions(
  context: Context,
  permission: Pick<SignedPermission, 'terms'>,
  memory: LifeMemory = newLifeMemory(),
): Promise<readonly OpenedPosition[]> {
  const { account } = permission.terms.mandate
  const { vaults, managers } = await signedContracts(context, permission)
  // A Golem that could only swap holds tokens, which are already in the owner's account.
  if (vaults.length + managers.length === 0) return []

  const logs = await logsOf(context, memory)
  const held = vaults.map((vault) => {
    const { id } = positionId(vault, context.book)
    return { type: 'vault', id, vault, shares: sharesIn(logs, vault, account) } as const
  })
  return [
    ...held.filter(({ shares }) => shares > 0n),
    ...managers.flatMap((manager) =>
      mintedIn(logs, manager, account).map(
        (tokenId) => ({ type: 'liquidity', id: `liquidity-${tokenId}`, manager, tokenId }) as const,
      ),
    ),
  ]
}

/**
 * The id of a vault position: by the operator's symbol, or by the address of a vault that is not in the book.
 */
export function positionId(
  vault: Address,
  { vaults }: AddressBook,
): { readonly id: string; readonly symbol: string | undefined } {
  const symbol = [...vaults].find(([, address]) => isAddressEqual(address, vault))?.[0]
  return { id: `vault-${symbol ?? vault}`, symbol }
}

/** The shares of a vault that an account received, minus those it returned. */
function sharesIn(logs: readonly Log[], vault: Address, account: Address): bigint {
  const own = logs.filter(({ address }) => isAddressEqual(address, vault))
  return parseEventLogs({ abi: erc4626Abi, logs: own }).reduce((sum, { eventName, args }) => {
    if (eventName === 'Deposit' && isAddressEqual(args.receiver, account)) return sum + args.shares
    if (eventName === 'Withdraw' && isAddressEqual(args.owner, account)) return sum - args.shares
    return sum
  }, 0n)
}

function mintedIn(logs: readonly Log[], manager: Address, account: Address): readonly bigint[] {
  const own = logs.filter(({ address }) => isAddressEqual(address, manager))
  return parseEventLogs({ abi: erc721Abi, eventName: 'Transfer', logs: own }).flatMap(({ args }) =>
    isAddressEqual(args.from, zeroAddress) && isAddressEqual(args.to, account) ? [args.tokenId] : [],
  )
}

/** The logs of all transactions of a life. */
export async function logsOf(context: Context, memory: LifeMemory): Promise<readonly Log[]> {
  const hashes = [...(await landedTransactions(context, memory))]
  const logs: Log[] = []
  for (let at = 0; at < hashes.length; at += batchSize) {
    const batch = await Promise.all(
      hashes.slice(at, at + batchSize).map((hash) => logsIn(context, hash, memory)),
    )
    logs.push(...batch.flat())
  }
  return logs
}

async function logsIn({ client }: Context, hash: Hash, memory: LifeMemory): Promise<readonly Log[]> {
  const known = memory.logs.get(hash)
  if (known) return known
  const { logs } = await client.getTransactionReceipt({ hash }).catch((cause: unknown) => {
    throw new BardoError('The node has no receipt of a mined transaction.', {
      code: 'RPC_UNAVAILABLE',
      details: [hash],
      cause,
    })
  })
  memory.logs.set(hash, logs)
  return logs
}

/**
 * All mined transactions of a life: the recorded ones, those of actions without a recorded end, and those of
 * the death.
 */
async function landedTransactions({ id, store }: Context, memory: LifeMemory): Promise<ReadonlySet<Hash>> {
  for (;;) {
    const events = await store.events.read({ after: memory.after, golem: id, limit: page })
    for (const { name, body } of events) {
      if (name === 'action.landed' || name === 'submission.landedAgain')
        memory.hashes.add(landing.parse(body).transaction)
      // A reorganisation removed it. It may be mined again as another transaction, or never.
      if (name === 'submission.landingUndone') {
        const { transaction } = landing.parse(body)
        memory.hashes.delete(transaction)
        memory.logs.delete(transaction)
      }
      if (!name.startsWith('action.')) continue
      const { intent } = acting.parse(body)
      if (intent === undefined) continue
      if (name === 'action.intended') memory.open.add(intent)
      else memory.open.delete(intent)
    }
    const last = events.at(-1)
    if (last) memory.after = last.sequence
    if (!last || events.length < page) break
  }
  const hashes = new Set(memory.hashes)
  const open = new Set(memory.open)
  const life = await store.golemStates.find(id)
  const pending = life && readStoredState(life.state).pending
  if (pending) open.add(pending.intentId)
  for (const intent of open) {
    const settlement = (await store.journal.find(intent))?.settlement
    if (settlement?.kind === 'landed' && settlement.mined.status === 'success')
      hashes.add(minedTransaction(settlement.mined))
  }
  for (const { transaction } of readStoredDeath(life?.death)?.unwound.settled ?? [])
    hashes.add(`0x${transaction.slice(2)}`)
  return hashes
}

/**
 * The rest of a vault position: at most what the Golem deposited and the account has. `payable` is what the
 * vault would pay
 * out now.
 */
export async function sharesLeft(
  { client }: Pick<Context, 'client'>,
  { vault, shares }: Extract<OpenedPosition, { type: 'vault' }>,
  account: Address,
): Promise<{ readonly held: bigint; readonly payable: bigint }> {
  const question = { address: vault, args: [account] } as const
  const [balance, redeemable] = await Promise.all([
    client.readContract({ ...question, abi: erc20Abi, functionName: 'balanceOf' }),
    client.readContract({ ...question, abi: erc4626Abi, functionName: 'maxRedeem' }),
  ])
  const held = leastOf(shares, balance)
  return { held, payable: leastOf(held, redeemable) }
}
