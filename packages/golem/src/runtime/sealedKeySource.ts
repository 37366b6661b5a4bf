import { openSealedKey, type SealingSecret, type SessionKey } from '@bardo/core'
import type { Store } from '@bardo/store'
import type { Hash } from 'viem'
import type { KeySource } from './golemParts.ts'

/** The session key as the store has it: sealed, and opened when it is first needed. */
export function sealedKeySource(store: Store, golem: Hash, secret: SealingSecret): KeySource {
  let opened: SessionKey | undefined
  const current = async () => {
    const keys = await store.sessionKeys.list(golem)
    return keys.findLast(({ status }) => status === 'active')
  }

  return {
    async open() {
      if (opened) return opened
      const record = await current()
      if (!record?.sealed) return undefined
      opened = await openSealedKey(record.sealed, secret, { context: golem })
      return opened
    },
    async wipe() {
      opened?.wipe()
      opened = undefined
      for (const { publicKey } of await store.sessionKeys.list(golem)) await store.sessionKeys.wipe(publicKey)
    },
  }
}
