import type { SessionKeyRecord, Store } from '@bardo/store'
import type { Hash } from 'viem'

/** The key that a Golem acts with; undefined if all keys are wiped. */
export async function activeKey(
  store: Pick<Store, 'sessionKeys'>,
  golem: Hash,
): Promise<SessionKeyRecord | undefined> {
  const keys = await store.sessionKeys.list(golem)
  return keys.findLast(({ status }) => status === 'active')
}
