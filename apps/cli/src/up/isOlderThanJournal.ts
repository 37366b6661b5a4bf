import type { Store } from '@bardo/store'
import type { Address } from 'viem'
import { everyGolem } from '../office/everyGolem.ts'
import type { ChainPlace } from '../place/findChain.ts'

/**
 * Whether the journal has seen transactions land that this chain does not know: the world ended before it was kept. Those
 * who send are the Golems' keys and whoever is named.
 */
export async function isOlderThanJournal(
  { client, deployment }: Pick<ChainPlace, 'client' | 'deployment'>,
  store: Pick<Store, 'golems' | 'sessionKeys' | 'journal'>,
  others: readonly Address[],
): Promise<boolean> {
  const { sessionKeys, journal } = store
  const rows = await everyGolem(store)
  const keys = (await Promise.all(rows.map(({ id }) => sessionKeys.list(id)))).flat()
  for (const from of new Set([...keys.map(({ address }) => address), ...others])) {
    const sender = { chainId: deployment.chainId, from }
    const highest = await journal.highestNonce(sender)
    if (highest === undefined) continue
    const count = await client.getTransactionCount({ address: from })
    const open = (await journal.open(sender)).filter(({ nonce }) => nonce !== undefined && nonce >= count)
    // What is still open may not have been sent; all below the highest nonce was.
    if (highest + 1 - count > open.length) return true
  }
  return false
}
