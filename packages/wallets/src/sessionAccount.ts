import {
  type AccountContext,
  type Curve,
  deploymentOn,
  hybridAccount,
  type SmartAccount,
  signersOf,
  walletSigner,
} from '@bardo/core'
import type { SessionKeyRecord } from '@bardo/store'
import { type Address, concat, type Hex, isAddressEqual } from 'viem'
import { publicKeyToAddress } from 'viem/accounts'

/** A session account without its signer: public data. */
export type SessionAccount = Omit<SmartAccount, 'signer'>

/** The public part of a session key. */
type PublicKey = { readonly curve: Curve; readonly publicKey: Hex }

/** The address of the key itself. Undefined for a P-256 key. */
export function ownAddressOf({ curve, publicKey }: PublicKey): Address | undefined {
  return curve === 'secp256k1' ? publicKeyToAddress(concat(['0x04', publicKey])) : undefined
}

/**
 * Whether a key acts by a session account, and not by its own address. The stored address is the one that it acts by, so
 * that nothing else needs to be stored.
 *
 * @example
 * const { type } = actsByAccount(record) ? await readAccount(record.address) : { type: 'key' }
 */
export function actsByAccount({ address, ...key }: PublicKey & Pick<SessionKeyRecord, 'address'>): boolean {
  const own = ownAddressOf(key)
  return own === undefined || !isAddressEqual(own, address)
}

/** The session account that begins with a key as its signer. */
export function firstAccountOf(chainId: number, { curve, publicKey }: PublicKey): SessionAccount {
  const context: AccountContext = deploymentOn(chainId)
  const began = signersOf({ curve, publicKey, address: ownAddressOf({ curve, publicKey }) })
  const { signer: _, ...account } = hybridAccount(context, { began, signer: unused })
  return account
}

/** The session account at an address, as its first key determines it. Without that key, it cannot be deployed again. */
export function accountAt(chainId: number, address: Address, known: readonly PublicKey[]): SessionAccount {
  const first = known
    .map((key) => firstAccountOf(chainId, key))
    .find((one) => isAddressEqual(one.address, address))
  const { framework } = deploymentOn(chainId)
  return first ?? { kind: 'hybrid', address, chainId, framework, factory: undefined }
}

/** An address does not depend on who signs later. */
const unused = walletSigner({ signTypedData: () => Promise.reject(new TypeError('not a signer')) })
