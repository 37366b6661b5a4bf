import type { Store } from '@bardo/store'
import type { Address } from 'viem'
import type { ChainConnection } from '../../context/findChain.ts'
import { everyGolem } from '../../rpc/everyGolem.ts'

/**
 * Whether the journal has landed transactions that this chain does not have: the process was killed before the chain was
 * saved. Checks the Golems' keys and the `others`.
 */
export async function isOlderThanJournal(
  { client, deployment }: Pick<ChainConnection, 'client' | 'deployment'>,
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
    // An open transaction may not have been sent. Every other nonce up to the highest one has landed.
    if (highest + 1 - count > open.length) return true
  }
  return false
}
