import { BardoError, leastOf } from '@bardo/core'
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
import type { Charter } from './charter.ts'
import type { GolemParts } from './golemParts.ts'
import { readStoredState } from './storedLife.ts'

/** Something that a Golem opened in the owner's name, and that may have to be closed. */
export type OpenedPosition =
  | {
      readonly is: 'vault'
      readonly id: string
      readonly symbol: string
      readonly vault: Address
      /** Put in by this Golem, less what it took out again. */
      readonly shares: bigint
    }
  | { readonly is: 'liquidity'; readonly id: string }

type Place = Pick<GolemParts, 'id' | 'store' | 'client' | 'book'>

const page = 1_000
/** So many receipts are asked for at a time. */
const together = 50
const landing = z.object({ transaction: z.templateLiteral(['0x', z.string()]) })

/**
 * What this Golem has opened in its life, by the receipts of its own transactions. What the owner, another Golem of
 * theirs or a child opened in the same account is not among it.
 */
export async function openedPositions(
  place: Place,
  { plan, terms }: Pick<Charter, 'plan' | 'terms'>,
): Promise<readonly OpenedPosition[]> {
  const { book } = place
  const { account } = terms.mandate
  const vaults = plan.targets.flatMap((target) => {
    const vault = target.role === 'vault' ? book.vaults.get(target.asset) : undefined
    return target.role === 'vault' && vault ? [{ symbol: target.asset, vault }] : []
  })
  const manager = plan.targets.some(({ role }) => role === 'positionManager')
    ? book.contracts.positionManager
    : undefined
  // A Golem that can only swap holds tokens, which are in the owner's account already.
  if (vaults.length === 0 && !manager) return []

  const logs = await logsOf(place)
  const held = vaults.map(({ symbol, vault }) => {
    const shares = sharesIn(logs, vault, account)
    return { is: 'vault', id: `vault-${symbol}`, symbol, vault, shares } as const
  })
  const minted = manager ? mintedIn(logs, manager, account) : []
  return [
    ...held.filter(({ shares }) => shares > 0n),
    ...minted.map((token) => ({ is: 'liquidity', id: `liquidity-${token}` }) as const),
  ]
}

/** How many shares of a vault came to an account, less those that were given back. */
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

async function logsOf(place: Place): Promise<readonly Log[]> {
  const hashes = [...(await landedTransactions(place))]
  const logs: Log[] = []
  for (let at = 0; at < hashes.length; at += together) {
    const found = await Promise.all(hashes.slice(at, at + together).map((hash) => logsIn(place, hash)))
    logs.push(...found.flat())
  }
  return logs
}

async function logsIn({ client }: Place, hash: Hash): Promise<readonly Log[]> {
  const { logs } = await client.getTransactionReceipt({ hash }).catch((cause: unknown) => {
    throw new BardoError('The node has no receipt of a transaction that landed.', {
      code: 'RPC_UNAVAILABLE',
      details: [hash],
      cause,
    })
  })
  return logs
}

/** Every action of a life that landed, the one included that landed while nobody was there to tell of it. */
async function landedTransactions({ id, store }: Place): Promise<ReadonlySet<Hash>> {
  const hashes = new Set<Hash>()
  for (let after = 0; ; ) {
    const events = await store.events.read({ after, golem: id, limit: page })
    for (const { name, body } of events)
      if (name === 'action.landed') hashes.add(landing.parse(body).transaction)
    const last = events.at(-1)
    if (!last || events.length < page) break
    after = last.sequence
  }
  const life = await store.lives.find(id)
  const pending = life && readStoredState(life.state).pending
  const settlement = pending && (await store.journal.find(pending.intentId))?.settlement
  if (settlement?.kind === 'landed' && settlement.mined.status === 'success')
    hashes.add(settlement.mined.hash)
  return hashes
}

/**
 * What is still there of a vault position: no more than the Golem put in and the account has. `payable` is what the vault
 * would pay out of it now.
 */
export async function sharesLeft(
  { client }: Pick<Place, 'client'>,
  { vault, shares }: Extract<OpenedPosition, { is: 'vault' }>,
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
