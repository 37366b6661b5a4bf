import {
  assumeCoSigned,
  explainRedemption,
  type Landed,
  readState,
  redeem,
  refusedRedemption,
} from '@bardo/chain'
import {
  type Asset,
  BardoError,
  encodeExecution,
  priceOf,
  priceReads,
  type SettledPosition,
} from '@bardo/core'
import { type Address, encodeFunctionData, erc4626Abi, type Hex, isAddressEqual, parseEventLogs } from 'viem'
import { collectCoSignatures, endProposals } from '../council/collectCoSignatures.ts'
import type { GolemParts } from '../permission/golemParts.ts'
import type { SignedPermission } from '../permission/signedPermission.ts'
import { centsOf } from '../snapshot/prices.ts'
import { canPayLater } from '../submission/findObstacle.ts'
import type { GolemSubmitter } from '../submission/openSubmitter.ts'
import { submitOnce } from '../submission/submitOnce.ts'
import { closesVault, heldPositions } from './heldPositions.ts'
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
    return position.type === 'vault'
      ? await closeVault(closing, position, intentId)
      : await leaveLiquidity(closing, position)
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

async function leaveLiquidity({ parts, permission }: Closing, { id }: OpenedPosition): Promise<Closed> {
  const held = await heldPositions(parts, permission)
  if (!held.some((position) => position.id === id)) return { type: 'gone' }
  return { type: 'deferred', reason: 'Bardo does not close liquidity yet: the owner has to withdraw it' }
}

async function closeVault(
  { parts, permission, redeemer, until }: Closing,
  position: VaultPosition,
  id: string,
): Promise<Closed> {
  const { store, client, deployment, clock } = parts
  const { links, terms } = permission
  const { account } = terms.mandate
  const recorded = await store.journal.find(id)
  if (recorded) {
    const { to, data } = recorded.intent
    return closedOf(parts, permission, position, await submitOnce(store.journal, redeemer, { id, to, data }))
  }
  if (clock.now() >= until) return { type: 'deferred', reason: 'the time for the settlement was over' }
  const { held, payable } = await sharesLeft(parts, position, account)
  if (held === 0n) return { type: 'gone' }
  if (!closesVault(terms, position.vault))
    return {
      type: 'deferred',
      reason: 'the current signature does not cover it: the owner has to withdraw it',
    }
  if (payable === 0n) return { type: 'deferred', reason: 'the vault pays out nothing now' }
  const calls = [{ to: position.vault, data: redeemCall(payable, account) }]
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

/** The amount that a transaction redeemed from a vault. */
export async function closedOf(
  parts: Pick<GolemParts, 'client' | 'deployment' | 'book'>,
  permission: Pick<SignedPermission, 'terms'>,
  { id, vault }: Pick<VaultPosition, 'id' | 'vault'>,
  { hash, status, blockNumber }: Landed,
): Promise<Closed> {
  const { client, deployment } = parts
  if (status !== 'success') return { type: 'deferred', reason: `it reverted on the chain in ${hash}` }
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
  const cents = await pricing(asset)
  const recoveredCents = cents(received)
  const lost = cents(worth) - recoveredCents
  const slippageCents = lost > 0n ? lost : 0n
  return { type: 'settled', position: { id, recoveredCents, transaction: hash }, slippageCents }

  /** An asset without a price counts as 0; it is recovered all the same. */
  async function pricing(of: Asset | undefined): Promise<(amount: bigint) => bigint> {
    if (!of) return () => 0n
    const price = priceOf(await readState(client, deployment, priceReads([of])), of) ?? 0n
    return (amount) => centsOf(amount, price, of)
  }
}
