import { type Landed, readState } from '@bardo/chain'
import type { Asset } from '@bardo/core'
import { erc20Abi, isAddressEqual, parseEventLogs } from 'viem'
import { feelingOf } from '../mood/feelingOf.ts'
import type { Feeling } from '../mood/mood.ts'
import type { Intention } from '../strategies/strategy.ts'
import type { Charter } from './charter.ts'
import type { GolemParts } from './golemParts.ts'
import { microsOf, priceOf, priceReads } from './prices.ts'

/**
 * How a trade that landed feels: what its receipt says left and came, at the feeds' prices of its block. Undefined for
 * what is no trade, and where it cannot be told any more: a mood is not worth a failed tick.
 */
export async function feelTrade(
  { client, deployment, settings }: Pick<GolemParts, 'client' | 'deployment' | 'settings'>,
  { terms, plan }: Charter,
  intention: Intention,
  { hash, blockNumber }: Pick<Landed, 'hash' | 'blockNumber'>,
): Promise<Feeling | undefined> {
  if (intention.is !== 'swap') return undefined
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
