import { sessionSigner } from '@bardo/chain'
import { openSealedKey, type SealingSecret, type SessionKey } from '@bardo/core'
import type { SessionKeyRecord, Store } from '@bardo/store'
import { type Hash, keccak256, stringToHex } from 'viem'
import { z } from 'zod'
import { activeKey } from './activeKey.ts'
import { createSealedKey } from './createSealedKey.ts'
import type { KeySource, KeyVault } from './keySource.ts'

const named = z.object({ publicKey: z.templateLiteral(['0x', z.string()]) })

/** The session keys in the store: sealed, and opened when they are first needed. */
export function sealedKeySource(
  store: Store,
  golem: Hash,
  secret: SealingSecret,
): KeySource & { readonly vault: KeyVault } {
  let opened: SessionKey | undefined

  const openRecord = async (record: SessionKeyRecord | undefined) =>
    record?.sealed && openSealedKey(record.sealed, secret, { context: golem })

  return {
    async open() {
      // Read each time: another worker may have rotated the key.
      const record = await activeKey(store, golem)
      if (!opened || opened.wiped || opened.publicKey !== record?.publicKey) opened = await openRecord(record)
      return opened
    },
    async wipe() {
      opened?.wipe()
      opened = undefined
      for (const { publicKey } of await store.sessionKeys.list(golem)) await store.sessionKeys.wipe(publicKey)
    },
    vault: {
      async make(rotationId) {
        const { publicKey, curve, address, sealed } = await createSealedKey({
          secret,
          contextOf: () => golem,
        })
        const claim = `rotation-key:${rotationId}`
        return store.transaction(async ({ sessionKeys, idempotencyKeys }) => {
          const hash = keccak256(stringToHex(claim))
          const known = await idempotencyKeys.claim(claim, hash, Number.MAX_SAFE_INTEGER)
          if (known.type === 'done') return named.parse(known.result).publicKey
          await sessionKeys.add({ publicKey, golem, curve, address, sealed })
          await idempotencyKeys.finish(claim, { publicKey })
          return publicKey
        })
      },
      async signerOf(name) {
        const key = await openRecord(await store.sessionKeys.find(name))
        return key && sessionSigner(key)
      },
    },
  }
}
