import { sessionSigner } from '@bardo/chain'
import {
  BardoError,
  type CustodyMode,
  openSealedKey,
  type RotationKind,
  type SealingSecret,
  type SessionKey,
} from '@bardo/core'
import type { SessionKeyRecord, Store } from '@bardo/store'
import { type Hash, keccak256, stringToHex } from 'viem'
import { z } from 'zod'
import { createDelegationWallet, type SessionKeyWalletOptions } from '../createDelegationWallet.ts'
import { createLocalKeyWallet } from '../createLocalKeyWallet.ts'
import { createSessionAccountWallet } from '../createSessionAccountWallet.ts'
import type { Route } from '../route.ts'
import { accountAt, actsByAccount, firstAccountOf } from '../sessionAccount.ts'
import type { Wallet } from '../wallet.ts'
import { activeKey } from './activeKey.ts'
import { createSealedKey, type NewSealedKeyOptions } from './createSealedKey.ts'
import type { KeySource, KeyVault } from './keySource.ts'
import { useSealedKey } from './useSealedKey.ts'

/** Where a Golem's keys are stored, what opens them, and the chain that its wallet is for. */
export type SealedKeySourceOptions = {
  readonly store: Store
  readonly golem: Hash
  readonly secret: SealingSecret
  readonly chainId: number
  /** How its calls reach the chain. Default: as transactions of its key. */
  readonly route?: (() => Route | Promise<Route>) | undefined
}

const direct: Route = { type: 'direct' }

type PublicKey = Parameters<typeof firstAccountOf>[1]

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
  route = () => direct,
}: SealedKeySourceOptions): KeySource & { readonly vault: KeyVault } {
  let opened: { readonly key: SessionKey; readonly wallet: Wallet } | undefined

  const openRecord = async (record: SessionKeyRecord | undefined) =>
    record?.sealed && openSealedKey(record.sealed, secret, { context: golem })

  async function openWallet(record: SessionKeyRecord | undefined): Promise<typeof opened> {
    const key = await openRecord(record)
    if (!key) return undefined
    const custody = (await store.golems.find(golem))?.custody ?? 'delegation'
    const chains = [chainId]
    if (!record || !actsByAccount(record)) return { key, wallet: walletOf(custody, { key, chains }) }
    const account = accountAt(chainId, record.address, await store.sessionKeys.list(golem))
    return {
      key,
      wallet: createSessionAccountWallet({ key, account, custody, chains, route: await route() }),
    }
  }

  /** The curve of a new key, and the address that it acts by. */
  async function nextKey(
    kind: RotationKind | undefined,
  ): Promise<Pick<NewSealedKeyOptions<Hash>, 'curve' | 'actsBy'>> {
    const known = await store.sessionKeys.list(golem)
    const current = known.findLast(({ status }) => status === 'active') ?? known.at(-1)
    if (!current || !actsByAccount(current)) return {}
    const { curve, address } = current
    const actsBy =
      kind === 'session-account' ? () => address : (key: PublicKey) => firstAccountOf(chainId, key).address
    return { curve, actsBy }
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
      async make(rotationId, kind) {
        const made = await createSealedKey({ secret, contextOf: () => golem, ...(await nextKey(kind)) })
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
