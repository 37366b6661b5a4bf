import { type Landed, readState } from '@bardo/chain'
import { type Asset, priceOf, priceReads } from '@bardo/core'
import { erc20Abi, isAddressEqual, parseEventLogs } from 'viem'
import { feelingOf } from '../mood/feelingOf.ts'
import type { Feeling } from '../mood/mood.ts'
import type { GolemParts } from '../permission/golemParts.ts'
import type { SignedPermission } from '../permission/signedPermission.ts'
import { microsOf } from '../snapshot/prices.ts'
import type { Intention } from '../strategy/strategy.ts'

/**
 * The effect of a landed trade on the mood: the amounts that its receipt shows, at the prices of the price
 * feeds in its block. Undefined if the action is not a trade, or if the data is no longer available: a tick
 * must not fail because of a mood.
 */
export async function feelTrade(
  { client, deployment, settings }: Pick<GolemParts, 'client' | 'deployment' | 'settings'>,
  { terms, plan }: SignedPermission,
  intention: Intention,
  { hash, blockNumber }: Pick<Landed, 'hash' | 'blockNumber'>,
): Promise<Feeling | undefined> {
  if (intention.type !== 'swap') return undefined
  const { assets, account } = terms.mandate
  const sold = assets[plan.assets.indexOf(intention.from)]
  const bought = assets[plan.assets.indexOf(intention.to)]
  if (!sold || !bought) return undefined
  try {
    const [{ logs }, state] = await Promise.all([
      client.getTransactionReceipt({ hash }),
      readState(client, deployment, priceReads([sold, bought]), blockNumber),
    ])
    const transfers = parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs })
    const moved = ({ token }: Asset, way: 'from' | 'to') =>
      transfers
        .filter(({ address, args }) => isAddressEqual(address, token) && isAddressEqual(args[way], account))
        .reduce((sum, { args }) => sum + args.value, 0n)
    const worth = (asset: Asset, amount: bigint) => microsOf(amount, priceOf(state, asset) ?? 0n, asset)
    const paidMicros = worth(sold, moved(sold, 'from'))
    const receivedMicros = worth(bought, moved(bought, 'to'))
    if (paidMicros === 0n || receivedMicros === 0n) return undefined
    const { poolFee } = settings
    return feelingOf({ paidMicros, receivedMicros, poolFee, slippageBps: plan.slippageBps })
  } catch {
    return undefined
  }
}
