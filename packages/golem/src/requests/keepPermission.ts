import type { ReadGrant } from '@bardo/core'
import { permissionKey, type Store } from '@bardo/store'
import type { Hash } from 'viem'

/**
 * Stores an ERC-7715 grant for a Golem, among the permissions and in its grimoire, in one transaction. A
 * second call changes
 * nothing. Check the grant with `inspectGrant` first.
 */
export function keepPermission(
  store: Pick<Store, 'transaction'>,
  golem: Hash,
  grant: ReadGrant,
): Promise<Hash> {
  return store.transaction(async ({ permissions, grimoire }) => {
    const id = await permissions.add(golem, grant)
    const { chainId, to, type, data, expiry, context } = grant
    const plain = Object.entries(data).filter((entry): entry is [string, string | number | bigint] =>
      ['string', 'number', 'bigint'].includes(typeof entry[1]),
    )
    const body = { id, chainId, to, type, data: Object.fromEntries(plain), context, expiry: expiry ?? null }
    await grimoire.put({ golem, key: permissionKey(golem), kind: 'permission', body })
    return id
  })
}
