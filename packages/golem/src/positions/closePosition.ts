import {
  assumeCoSigned,
  explainRedemption,
  type Landed,
  readLiquidity,
  readState,
  redeem,
  refusedRedemption,
  removeLiquidityCall,
} from '@bardo/chain'
import {
  type Asset,
  BardoError,
  type Call,
  encodeExecution,
  priceOf,
  priceReads,
  type SettledPosition,
} from '@bardo/core'
import {
  type Address,
  encodeFunctionData,
  erc4626Abi,
  type Hex,
  isAddressEqual,
  maxUint256,
  parseAbi,
  parseEventLogs,
} from 'viem'
import { collectCoSignatures, endProposals } from '../council/collectCoSignatures.ts'
import type { GolemParts } from '../permission/golemParts.ts'
import type { SignedPermission } from '../permission/signedPermission.ts'
import { centsOf } from '../snapshot/prices.ts'
import { canPayLater } from '../submission/findObstacle.ts'
import type { GolemSubmitter } from '../submission/openSubmitter.ts'
import { submitOnce } from '../submission/submitOnce.ts'
import { closesLiquidity, closesVault } from './heldPositions.ts'
import { type OpenedPosition, sharesLeft } from './openedPositions.ts'

/**
 * The result of closing a position. `gone`: nothing was left of it. `resting`: the signed minimum interval,
 * which the chain
 * enforces for closing too, is not over; nothing was sent.
 */
export type Closed =
  | { readonly type: 'resting'; readonly error: BardoError }
  | { readonly type: 'settled'; readonly position: SettledPosition; readonly slippageCents: bigint }
  | { readonly type: 'deferred'; readonly reason: string }
  | { readonly type: 'gone' | 'onItsWay' }

/** The parts, the root, the submitter, and the deadline in milliseconds since 1970. */
export type Closing = {
  readonly parts: GolemParts
  readonly permission: SignedPermission
  readonly redeemer: GolemSubmitter
  readonly until: number
}

type VaultPosition = Extract<OpenedPosition, { type: 'vault' }>
type LiquidityOpened = Extract<OpenedPosition, { type: 'liquidity' }>

/**
 * Closes one position into the owner's account, once per id. After a clear refusal it stays open, with the
 * reason; an outage
 * throws.
 */
export async function closePosition(
  closing: Closing,
  position: OpenedPosition,
  intentId: string,
): Promise<Closed> {
  try {
    return await closeOnce(closing, position, intentId)
  } catch (error) {
    if (!(error instanceof BardoError) || error.code === 'INTERNAL') throw error
    if (error.code === 'OUTCOME_UNKNOWN' || error.code === 'MANAGER_PAUSED') return { type: 'onItsWay' }
    // The fee is too high at the moment.
    const { parts, permission, until } = closing
    const payer = { key: permission.links[0].delegate, until: until / 1_000 }
    if (await canPayLater(parts, payer, error)) return { type: 'onItsWay' }
    if (error.code === 'TOO_SOON' && error.outcome === 'not-sent') return { type: 'resting', error }
    if (error.retryable) throw error
    return { type: 'deferred', reason: error.shortMessage }
  }
}

/** The call that redeems an account's vault shares to the account itself. */
export function redeemCall(shares: bigint, account: Address): Hex {
  return encodeFunctionData({ abi: erc4626Abi, functionName: 'redeem', args: [shares, account, account] })
}

async function closeOnce(
  { parts, permission, redeemer, until }: Closing,
  position: OpenedPosition,
  id: string,
): Promise<Closed> {
  const { store, client, deployment, clock } = parts
  const { links } = permission
  const recorded = await store.journal.find(id)
  if (recorded) {
    const { to, data } = recorded.intent
    return closedOf(parts, permission, position, await submitOnce(store.journal, redeemer, { id, to, data }))
  }
  if (clock.now() >= until) return { type: 'deferred', reason: 'the time for the settlement was over' }
  const plan = await (position.type === 'vault'
    ? planVault(parts, permission, position)
    : planLiquidity(parts, permission, position))
  if (plan.type !== 'calls') return plan
  const { calls } = plan
  // A redemption that the chain would refuse is not sent: it would use gas that belongs to the owner.
  const assumed = assumeCoSigned({ client, deployment, links })
  const question = {
    links: assumed.links,
    execution: encodeExecution(calls),
    redeemer: redeemer.address,
  }
  const explanation = await explainRedemption(assumed.client, deployment, question)
  const refusal = refusedRedemption(explanation, { deployment, step: 0, outcome: 'not-sent' })
  if (refusal) throw refusal
  // Closing into the owner's account needs the co-signatures too: the Cage asks for them in every execution.
  const collected = await collectCoSignatures(parts, { intentId: id, links, calls, valueCents: 0n })
  if (collected.type === 'waiting') return { type: 'onItsWay' }
  try {
    const steps = [{ links: collected.links, calls }]
    const landed = await redeem(redeemer, { id, steps, expiresAt: until })
    await endProposals(parts, links, id, landed.hash)
    return await closedOf(parts, permission, position, landed)
  } catch (error) {
    const stored = await store.journal.find(id)
    if (!stored || isAddressEqual(stored.intent.from, redeemer.address)) throw error
    // A process with another key stored the same id at this moment.
    return { type: 'onItsWay' }
  }
}

/** What closes a position, or why it cannot be closed now. */
type ClosingPlan =
  | { readonly type: 'calls'; readonly calls: readonly Call[] }
  | Extract<Closed, { type: 'deferred' }>
  | { readonly type: 'gone' }

const notCovered = {
  type: 'deferred',
  reason: 'the current signature does not cover it: the owner has to withdraw it',
} as const

async function planVault(
  parts: GolemParts,
  { terms }: SignedPermission,
  position: VaultPosition,
): Promise<ClosingPlan> {
  const { account } = terms.mandate
  const { held, payable } = await sharesLeft(parts, position, account)
  if (held === 0n) return { type: 'gone' }
  if (!closesVault(terms, position.vault)) return notCovered
  if (payable === 0n) return { type: 'deferred', reason: 'the vault pays out nothing now' }
  return { type: 'calls', calls: [{ to: position.vault, data: redeemCall(payable, account) }] }
}

/** An NFT that the account does not hold any more, or without liquidity and fees, is gone. */
async function planLiquidity(
  { client, deployment }: GolemParts,
  { terms }: SignedPermission,
  { manager, tokenId }: LiquidityOpened,
): Promise<ClosingPlan> {
  const { account } = terms.mandate
  const [found] = await readLiquidity(client, deployment, [{ manager, tokenId }])
  const isOwn = found?.owner !== undefined && isAddressEqual(found.owner, account)
  if (!found || !isOwn || found.liquidity + found.fees.amount0 + found.fees.amount1 === 0n)
    return { type: 'gone' }
  if (!closesLiquidity(terms, manager)) return notCovered
  const { liquidity } = found
  const data = removeLiquidityCall({ tokenId, liquidity, account, deadline: maxUint256 })
  return { type: 'calls', calls: [{ to: manager, data }] }
}

const collectedEvent = parseAbi([
  'event Collect(uint256 indexed tokenId, address recipient, uint256 amount0, uint256 amount1)',
])

/** The result of a transaction that closed a position. */
export function closedOf(
  parts: ClosedParts,
  permission: Pick<SignedPermission, 'terms'>,
  position: OpenedPosition,
  landed: Landed,
): Promise<Closed> | Closed {
  const { hash, status } = landed
  if (status !== 'success') return { type: 'deferred', reason: `it reverted on the chain in ${hash}` }
  return position.type === 'vault'
    ? redeemedOf(parts, permission, position, landed)
    : collectedOf(parts, permission, position, landed)
}

type ClosedParts = Pick<GolemParts, 'client' | 'deployment' | 'book'>

/**
 * What a transaction collected from a position, at the prices of the feeds. It costs nothing against them: a position
 * never pays out less at another price than at the fair one.
 */
async function collectedOf(
  parts: ClosedParts,
  { terms }: Pick<SignedPermission, 'terms'>,
  { id, manager, tokenId }: LiquidityOpened,
  { hash }: Landed,
): Promise<Closed> {
  const { client, deployment, book } = parts
  const { logs } = await client.getTransactionReceipt({ hash })
  const own = logs.filter(({ address }) => isAddressEqual(address, manager))
  const paid = parseEventLogs({ abi: collectedEvent, logs: own }).filter(
    ({ args }) => args.tokenId === tokenId,
  )
  const [found] = await readLiquidity(client, deployment, [{ manager, tokenId }])
  const assetOf = (token: Address) =>
    [...terms.mandate.assets, ...book.assets.values()].find((one) => isAddressEqual(one.token, token))
  const [one, other] = [found && assetOf(found.token0), found && assetOf(found.token1)]
  const [cents0, cents1] = [await pricing(parts, one), await pricing(parts, other)]
  const recoveredCents = paid.reduce((sum, { args }) => sum + cents0(args.amount0) + cents1(args.amount1), 0n)
  return { type: 'settled', position: { id, recoveredCents, transaction: hash }, slippageCents: 0n }
}

/** The amount that a transaction redeemed from a vault. */
async function redeemedOf(
  parts: ClosedParts,
  permission: Pick<SignedPermission, 'terms'>,
  { id, vault }: Pick<VaultPosition, 'id' | 'vault'>,
  { hash, blockNumber }: Landed,
): Promise<Closed> {
  const { client } = parts
  const { logs } = await client.getTransactionReceipt({ hash })
  const paid = parseEventLogs({ abi: erc4626Abi, eventName: 'Withdraw', logs: [...logs] })
  const received = paid.reduce((sum, { args }) => sum + args.assets, 0n)
  const shares = paid.reduce((sum, { args }) => sum + args.shares, 0n)
  const question = { address: vault, abi: erc4626Abi } as const
  const before = blockNumber - 1n
  const worth = await client
    .readContract({ ...question, functionName: 'convertToAssets', args: [shares], blockNumber: before })
    // A node without that block: the cost is unknown, and the death does not wait for it.
    .catch(() => received)
  const token = await client.readContract({ ...question, functionName: 'asset' })
  const assets = [...permission.terms.mandate.assets, ...parts.book.assets.values()]
  const asset = assets.find((one) => isAddressEqual(one.token, token))
  const cents = await pricing(parts, asset)
  const recoveredCents = cents(received)
  const lost = cents(worth) - recoveredCents
  const slippageCents = lost > 0n ? lost : 0n
  return { type: 'settled', position: { id, recoveredCents, transaction: hash }, slippageCents }
}

/** Values an asset in cents. One without a price counts as 0; it is recovered all the same. */
async function pricing(
  { client, deployment }: Pick<GolemParts, 'client' | 'deployment'>,
  of: Asset | undefined,
): Promise<(amount: bigint) => bigint> {
  if (!of) return () => 0n
  const price = priceOf(await readState(client, deployment, priceReads([of])), of) ?? 0n
  return (amount) => centsOf(amount, price, of)
}
