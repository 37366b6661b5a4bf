import {
  type LiquidityPosition,
  type LiquidityToken,
  readLiquidity,
  readState,
  type TokenAmounts,
} from '@bardo/chain'
import {
  type Asset,
  type CageTerms,
  type ChainState,
  classBits,
  leastOf,
  methodBits,
  priceOf,
  priceReads,
  type Read,
  targetKinds,
  wordsIn,
} from '@bardo/core'
import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  erc4626Abi,
  isAddressEqual,
  numberToHex,
  parseAbi,
} from 'viem'
import type { GolemParts } from '../permission/golemParts.ts'
import type { SignedPermission } from '../permission/signedPermission.ts'
import { centsOf } from '../snapshot/prices.ts'
import { openedPositions, positionId } from './openedPositions.ts'
import { distinct, signedContracts } from './signedContracts.ts'

/** Whether the current root, an earlier root or no root of the Golem names the contract of a position. */
type Managed = 'now' | 'before' | 'never'

/** A position that an account holds in a known vault or position manager. */
export type HeldPosition =
  | {
      readonly type: 'vault'
      readonly id: string
      readonly vault: Address
      /** Undefined for a vault that is not in the operator's address book. */
      readonly symbol: string | undefined
      readonly shares: bigint
      /** Undefined if it cannot be priced. */
      readonly cents: bigint | undefined
      readonly managed: Managed
    }
  | {
      readonly type: 'liquidity'
      readonly id: string
      readonly manager: Address
      readonly tokenId: bigint
      readonly liquidity: bigint
      /** Amounts, fees, range and pool; undefined if they cannot be read. */
      readonly seen: LiquidityPosition | undefined
      /** What it would pay out now, fees included. Undefined if it cannot be priced. */
      readonly cents: bigint | undefined
      /** The fees alone. */
      readonly feeCents: bigint | undefined
      readonly managed: Managed
    }

type Context = Pick<GolemParts, 'id' | 'store' | 'client' | 'deployment' | 'book'>

/** The maximum number of NFTs of one manager to list. */
const mostTokens = 200n
const managerAbi = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function tokenOfOwnerByIndex(address, uint256) view returns (uint256)',
  'function positions(uint256) view',
])

/**
 * All positions of the account in vaults and position managers of the operator's address book and of every
 * root ever signed
 * for this Golem, whether or not the current root names them. Uses one call to Multicall3, a few more if there
 * are positions:
 * for display, adjusting and the end, not for ticks.
 *
 * @param known - positions to list in any case. Anyone can send NFTs to the account, more than are listed
 */
export async function heldPositions(
  context: Context,
  permission: Pick<SignedPermission, 'terms'>,
  known: readonly LiquidityToken[] = [],
): Promise<readonly HeldPosition[]> {
  const { client, deployment, book } = context
  const { account } = permission.terms.mandate
  const signed = await signedContracts(context, permission)
  const vaults = distinct([...signed.vaults, ...book.vaults.values()])
  const manager = book.contracts.positionManager
  const managers = distinct([...signed.managers, ...(manager ? [manager] : [])])
  if (vaults.length + managers.length === 0) return []
  const ask = (reads: readonly Read[]) => readState(client, deployment, reads)

  const balances = await ask([...vaults, ...managers].map(balanceRead).concat(vaults.map(assetRead)))
  const shares = vaults.flatMap((vault) => {
    const held = wordOf(balances, balanceRead(vault)) ?? 0n
    const asset = assetAt(wordOf(balances, assetRead(vault)))
    return held > 0n ? [{ vault, held, asset }] : []
  })
  const tokenReads = managers.flatMap((at) => {
    const count = leastOf(wordOf(balances, balanceRead(at)) ?? 0n, mostTokens)
    return Array.from({ length: Number(count) }, (_, index) => ({ at, read: tokenRead(at, BigInt(index)) }))
  })
  if (shares.length + tokenReads.length + known.length === 0) return []

  const state = await ask([
    ...shares.map(({ vault, held }) => worthRead(vault, held)),
    ...priceReads(shares.flatMap(({ asset }) => asset ?? [])),
    ...tokenReads.map(({ read }) => read),
  ])
  const listed = tokenReads.flatMap(({ at, read }) => {
    const tokenId = wordOf(state, read)
    return tokenId === undefined ? [] : [{ at, tokenId }]
  })
  const isListed = ({ manager, tokenId }: LiquidityToken) =>
    listed.some((one) => one.tokenId === tokenId && isAddressEqual(one.at, manager))
  const hidden = known.flatMap((one) =>
    isListed(one) ? [] : [{ at: one.manager, tokenId: one.tokenId, isHidden: true }],
  )
  const tokens = [...hidden, ...listed]
  const filled = tokens.length > 0 ? await ask(tokens.map(liquidityRead)) : state
  const open = tokens.flatMap((token) => {
    const words = wordsIn(filled, liquidityRead(token), 12)
    return isEmpty(words) ? [] : [{ ...token, liquidity: words?.[7] ?? 0n }]
  })
  const positions = await readLiquidity(
    client,
    deployment,
    open.map(({ at, tokenId }) => ({ manager: at, tokenId })),
  )
  const pooled = positions.flatMap(({ token0, token1 }) => [assetOf(token0) ?? [], assetOf(token1) ?? []])
  const prices = pooled.length > 0 ? await ask(priceReads(pooled.flat())) : state
  return [
    ...shares.map(({ vault, held, asset }): HeldPosition => {
      const worth = wordOf(state, worthRead(vault, held))
      const price = asset && priceOf(state, asset)
      const cents =
        asset && price !== undefined && worth !== undefined ? centsOf(worth, price, asset) : undefined
      const { id, symbol } = positionId(vault, book)
      const managed = managedAt(vault, closesVault(permission.terms, vault), signed.vaults)
      return { type: 'vault', id, vault, symbol, shares: held, cents, managed }
    }),
    ...open.flatMap(({ at, tokenId, liquidity, ...rest }): HeldPosition[] => {
      const managed = managedAt(at, closesLiquidity(permission.terms, at), signed.managers)
      const seen = positions.find((one) => one.tokenId === tokenId && isAddressEqual(one.manager, at))
      const isOwn = seen?.owner !== undefined && isAddressEqual(seen.owner, account)
      if ('isHidden' in rest && !isOwn) return []
      const feeCents = seen && worthOf(seen, seen.fees)
      const heldCents = seen && worthOf(seen, seen.held)
      const cents = heldCents === undefined || feeCents === undefined ? undefined : heldCents + feeCents
      const id = `liquidity-${tokenId}`
      return [{ type: 'liquidity', id, manager: at, tokenId, liquidity, seen, cents, feeCents, managed }]
    }),
  ]

  function balanceRead(to: Address): Read {
    return { to, data: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [account] }) }
  }

  function tokenRead(to: Address, index: bigint): Read {
    const args = [account, index] as const
    return { to, data: encodeFunctionData({ abi: managerAbi, functionName: 'tokenOfOwnerByIndex', args }) }
  }

  function assetAt(word: bigint | undefined): Asset | undefined {
    if (word === undefined || word >= 2n ** 160n) return undefined
    return assetOf(numberToHex(word, { size: 20 }))
  }

  /** The amounts of both tokens in cents; undefined if a price is missing. */
  function worthOf({ token0, token1 }: LiquidityPosition, amounts: TokenAmounts): bigint | undefined {
    const cents = (token: Address, amount: bigint) => {
      const asset = assetOf(token)
      const price = asset && priceOf(prices, asset)
      return asset && price !== undefined ? centsOf(amount, price, asset) : undefined
    }
    const [one, other] = [cents(token0, amounts.amount0), cents(token1, amounts.amount1)]
    return one === undefined || other === undefined ? undefined : one + other
  }

  function assetOf(token: Address): Asset | undefined {
    return [...book.assets.values(), ...signed.assets].find((asset) => isAddressEqual(asset.token, token))
  }
}

/**
 * The positions that this Golem opened, according to its transactions' receipts, and the account still holds.
 */
export async function leftPositions(
  context: Context,
  permission: SignedPermission,
): Promise<readonly HeldPosition[]> {
  const opened = await openedPositions(context, permission)
  const known = opened.flatMap((one) => (one.type === 'liquidity' ? [one] : []))
  const held = await heldPositions(context, permission, known)
  return held.flatMap((position): HeldPosition[] => {
    const own = opened.find(({ id }) => id === position.id)
    if (!own) return []
    if (position.type !== 'vault' || own.type !== 'vault') return [position]
    const shares = leastOf(position.shares, own.shares)
    const cents = position.cents === undefined ? undefined : (position.cents * shares) / position.shares
    return [{ ...position, shares, cents }]
  })
}

/** Whether signed terms allow redeeming shares of a vault. */
export function closesVault(terms: CageTerms, vault: Address): boolean {
  const isGranted = (terms.classes & classBits.withdraw) !== 0 && (terms.methods & methodBits.redeem) !== 0
  return isGranted && isTarget(terms, vault, targetKinds.vault)
}

/** Whether signed terms allow removing liquidity from a position manager's positions. */
export function closesLiquidity(terms: CageTerms, manager: Address): boolean {
  const needed = methodBits.decreaseLiquidity | methodBits.collect
  const isGranted = (terms.classes & classBits.removeLiquidity) !== 0 && (terms.methods & needed) === needed
  return isGranted && isTarget(terms, manager)
}

/** Whether signed terms name a contract, as a position manager or as another kind. */
function isTarget(
  { mandate }: CageTerms,
  at: Address,
  targetKind: number = targetKinds.positionManager,
): boolean {
  return mandate.targets.some(({ kind, address }) => kind === targetKind && isAddressEqual(address, at))
}

function managedAt(at: Address, isNow: boolean, ever: readonly Address[]): Managed {
  if (isNow) return 'now'
  return ever.some((address) => isAddressEqual(address, at)) ? 'before' : 'never'
}

/** Whether an NFT has neither liquidity nor fees. One that does not answer counts as not empty. */
function isEmpty(words: readonly bigint[] | undefined): boolean {
  if (!words) return false
  const [, , , , , , , liquidity = 0n, , , owed0 = 0n, owed1 = 0n] = words
  return liquidity + owed0 + owed1 === 0n
}

function wordOf(state: ChainState, read: Read): bigint | undefined {
  return wordsIn(state, read, 1)?.[0]
}

function assetRead(to: Address): Read {
  return { to, data: encodeFunctionData({ abi: erc4626Abi, functionName: 'asset' }) }
}

function worthRead(to: Address, shares: bigint): Read {
  const args = [shares] as const
  return { to, data: encodeFunctionData({ abi: erc4626Abi, functionName: 'convertToAssets', args }) }
}

function liquidityRead({ at, tokenId }: { readonly at: Address; readonly tokenId: bigint }): Read {
  const args = [tokenId] as const
  return { to: at, data: encodeFunctionData({ abi: managerAbi, functionName: 'positions', args }) }
}
