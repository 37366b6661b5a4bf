import { sessionSigner } from '@bardo/chain'
import { BardoError, type CustodyMode, openSealedKey, type SealingSecret, type SessionKey } from '@bardo/core'
import type { SessionKeyRecord, Store } from '@bardo/store'
import { type Hash, keccak256, stringToHex } from 'viem'
import { z } from 'zod'
import { createDelegationWallet, type SessionKeyWalletOptions } from '../createDelegationWallet.ts'
import { createLocalKeyWallet } from '../createLocalKeyWallet.ts'
import type { Wallet } from '../wallet.ts'
import { activeKey } from './activeKey.ts'
import { createSealedKey } from './createSealedKey.ts'
import type { KeySource, KeyVault } from './keySource.ts'
import { useSealedKey } from './useSealedKey.ts'

/** Where a Golem's keys are stored, what opens them, and the chain that its wallet is for. */
export type SealedKeySourceOptions = {
  readonly store: Store
  readonly golem: Hash
  readonly secret: SealingSecret
  readonly chainId: number
}

const named = z.object({ publicKey: z.templateLiteral(['0x', z.string()]) })

/**
 * The session keys in the store: sealed, and opened as a wallet when they are first needed.
 *
 * @example
 * const wallet = await sealedKeySource({ store, golem, secret, chainId: 8453 }).open()
 */
export function sealedKeySource({
  store,
  golem,
  secret,
  chainId,
}: SealedKeySourceOptions): KeySource & { readonly vault: KeyVault } {
  let opened: { readonly key: SessionKey; readonly wallet: Wallet } | undefined

  const openRecord = async (record: SessionKeyRecord | undefined) =>
    record?.sealed && openSealedKey(record.sealed, secret, { context: golem })

  async function openWallet(record: SessionKeyRecord | undefined): Promise<typeof opened> {
    const key = await openRecord(record)
    if (!key) return undefined
    const custody = (await store.golems.find(golem))?.custody ?? 'delegation'
    return { key, wallet: walletOf(custody, { key, chains: [chainId] }) }
  }

  return {
    async open() {
      // Read each time: another worker may have rotated the key.
      const record = await activeKey(store, golem)
      if (!opened || opened.key.wiped || opened.key.publicKey !== record?.publicKey)
        opened = await openWallet(record)
      return opened?.wallet
    },
    async wipe() {
      opened?.key.wipe()
      opened = undefined
      for (const { publicKey } of await store.sessionKeys.list(golem)) await store.sessionKeys.wipe(publicKey)
    },
    vault: {
      async make(rotationId) {
        const made = await createSealedKey({ secret, contextOf: () => golem })
        const { publicKey, curve, address, sealed } = made
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
      makeFor: (contextOf) => createSealedKey({ secret, contextOf }),
      useFor: (sealed, context, use) => useSealedKey(sealed, { secret, context }, use),
      async signerOf(name) {
        const key = await openRecord(await store.sessionKeys.find(name))
        return key && sessionSigner(key)
      },
    },
  }
}

/** The wallet of a Golem's custody mode, with its session key. */
function walletOf(custody: CustodyMode, options: SessionKeyWalletOptions): Wallet {
  switch (custody) {
    case 'delegation':
      return createDelegationWallet(options)
    case 'localKey':
      return createLocalKeyWallet(options)
    case 'embedded':
      throw new BardoError('This wallet provider is not supported yet.', {
        code: 'CONFIG_INVALID',
        details: [custody],
        remedy: 'Use custody.mode "delegation" or "localKey".',
        docsPath: 'golem.md#wallets',
      })
  }
}
