import {
  type Caveat,
  type Delegation,
  delegationTypedData,
  hashDelegation,
  leastOf,
  metamaskKinds,
} from '@bardo/core'
import type { Wallet } from '@bardo/wallets'
import { type Address, type Hex, isAddressEqual } from 'viem'
import { runwayDay } from '../funding/runwayDay.ts'
import { canDraw, drawLinks, findRunway, type StoredRunway } from '../funding/storedRunway.ts'
import type { GolemParts } from '../permission/golemParts.ts'

/** A child's part of its parent's runway: the parent's runway with one more link, for the child's key. */
export type RunwayShare = { readonly runway: StoredRunway; readonly links: readonly Delegation[] }

/** The share of a child, as its parent requests it. */
export type WantedShare = {
  readonly delegate: Address
  /** Base units a day. Undefined for the same share as of the daily limit. */
  readonly daily: bigint | undefined
  readonly part: { readonly of: bigint; readonly cents: bigint }
  /** Unix seconds. */
  readonly end: number
  readonly salt: bigint
}

/**
 * Delegates a part of the parent's runway to a child: a daily amount that the chain enforces, into the owner's
 * account only, until the child's end, and for the child's key only. Undefined if the parent has no runway that its key
 * can draw on. Returns 'tooMuch' with the rest if the request exceeds it.
 */
export async function shareRunway(
  context: Pick<GolemParts, 'id' | 'store' | 'client' | 'deployment'>,
  wallet: Wallet,
  { delegate, daily, part, end, salt }: WantedShare,
): Promise<RunwayShare | { readonly tooMuch: bigint; readonly left: bigint } | undefined> {
  const { id, store, deployment } = context
  const runway = await findRunway(store, id)
  if (!runway || !(await canDraw(context, runway, wallet.address))) return undefined
  const day = await runwayDay(context, id, runway)
  const { ERC20PeriodTransferEnforcer, TimestampEnforcer, RedeemerEnforcer } =
    deployment.framework.caveatEnforcers
  if (!day || !ERC20PeriodTransferEnforcer || !TimestampEnforcer || !RedeemerEnforcer) return undefined
  const amount = daily ?? (part.of > 0n ? (day.limit * part.cents) / part.of : 0n)
  if (amount >= day.limit && amount > 0n) return { tooMuch: amount, left: day.limit }
  if (amount <= 0n) return undefined
  const above = drawLinks(runway, wallet.address)
  const [parent] = above
  if (!parent) return undefined
  const caveat = (enforcer: Address, terms: Hex): Caveat => ({ enforcer, terms, args: '0x' })
  const start = BigInt(runway.startsAt)
  const before = Number(leastOf(BigInt(end), BigInt(runway.expiresAt ?? end)))
  const unsigned: Delegation = {
    delegate,
    delegator: wallet.address,
    authority: hashDelegation(parent),
    caveats: [
      caveat(
        ERC20PeriodTransferEnforcer,
        metamaskKinds.ERC20PeriodTransfer.encode({ token: runway.token, amount, duration: 86_400n, start }),
      ),
      caveat(
        TimestampEnforcer,
        metamaskKinds.Timestamp.encode({ afterThreshold: 0, beforeThreshold: before }),
      ),
      caveat(RedeemerEnforcer, metamaskKinds.Redeemer.encode({ redeemers: [delegate] })),
    ],
    salt,
    signature: '0x',
  }
  const typed = delegationTypedData(deployment.chainId, deployment.framework.DelegationManager, unsigned)
  const link = { ...unsigned, signature: await wallet.signTypedData(typed) }
  // The links from the draw delegation down to the parent's key, oldest first, then the child's.
  const handedOn = above
    .toReversed()
    .filter(({ delegator }) => !isAddressEqual(delegator, runway.feed.delegator))
  return { runway, links: [...handedOn, link] }
}
