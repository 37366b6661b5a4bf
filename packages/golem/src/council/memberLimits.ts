import { type MemberLimits, readState } from '@bardo/chain'
import { type Phase, phaseNumber, priceOf, priceReads } from '@bardo/core'
import type { GolemParts } from '../permission/golemParts.ts'
import type { SignedPermission } from '../permission/signedPermission.ts'
import { amountOf } from '../snapshot/prices.ts'

/**
 * What a Golem agrees to as a co-signer: the contracts and tokens of its own signed permission, and at most what it may move
 * itself in one action in its phase. An asset without a usable price: nothing.
 */
export async function memberLimits(
  { client, deployment }: Pick<GolemParts, 'client' | 'deployment'>,
  { terms, plan }: Pick<SignedPermission, 'terms' | 'plan'>,
  phase: Phase,
): Promise<MemberLimits> {
  const { assets, targets } = terms.mandate
  const state = await readState(client, deployment, priceReads(assets))
  const cents = plan.sizeCents[phaseNumber(phase)] ?? 0n
  return {
    targets: targets.map(({ address }) => address),
    most: assets.map((asset) => {
      const price = priceOf(state, asset)
      return { token: asset.token, amount: price ? amountOf(cents, price, asset) : 0n }
    }),
  }
}
