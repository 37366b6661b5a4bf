import { type Address, type Hex, hexToBigInt, slice, type TypedDataDefinition } from 'viem'
import { BardoError } from '../errors/BardoError.ts'
import type { SessionKey } from '../session/sessionKey.ts'

/** A P-256 key as an account stores it. Its id is its public key. */
export type P256Key = { readonly keyId: string; readonly x: bigint; readonly y: bigint }

/** The signers of a Hybrid account: an EOA, P-256 keys, or both. A signature by any one of them is enough. */
export type HybridSigners = { readonly owner?: Address; readonly p256?: readonly P256Key[] }

/** Signs for a smart account, in the form that the account's code checks. */
export type AccountSigner = {
  signTypedData(typedData: TypedDataDefinition): Promise<Hex>
  /** A placeholder signature of the right length and shape, for gas estimation. */
  readonly stub: Hex
  /** Upper bound of the gas to verify a signature, without the P-256 precompile. */
  readonly verificationGas: bigint
}

/** The part of a wallet that a signer needs: a viem account, or a wallet behind a web page. */
export type TypedDataWallet = Pick<AccountSigner, 'signTypedData'>

/**
 * A placeholder that recovers to some address. With a signature that does not recover at all, the account
 * reverts instead of returning "invalid".
 */
export const ecdsaStub: Hex = `0x${'ff'.repeat(15)}f0${'00'.repeat(16)}7a${'aa'.repeat(31)}1c`

/**
 * An EOA as the owner of a Hybrid account, or as its own signer once it is upgraded.
 *
 * @example
 * const signer = walletSigner(createWalletClient({ account, transport: custom(window.ethereum) }))
 */
export function walletSigner(wallet: TypedDataWallet): AccountSigner {
  return {
    signTypedData: (typedData) => wallet.signTypedData(typedData),
    stub: ecdsaStub,
    verificationGas: 90_000n,
  }
}

/** What of a session key everyone may know. */
type PublicPart = Pick<SessionKey, 'curve' | 'publicKey' | 'address'>

/**
 * The signers of a session account whose only signer is this key.
 *
 * @example
 * const key = sessionKeyFrom('secp256k1', new Uint8Array(32).fill(1))
 * signersOf(key) // { owner: '0x1a642f0E3c3aF545E7AcBD38b07251B3990914F1' }
 */
export function signersOf(key: PublicPart): HybridSigners {
  return key.address ? { owner: key.address } : { p256: [p256KeyOf(key)] }
}

/**
 * A P-256 key in the form in which accounts store it.
 *
 * @example
 * const { keyId, x, y } = p256KeyOf(generateSessionKey('p256', randomBytes))
 */
export function p256KeyOf({ curve, publicKey }: PublicPart): P256Key {
  if (curve !== 'p256')
    throw new BardoError('Only a P-256 key can be stored by its public point.', { code: 'INVALID_INPUT' })
  return {
    keyId: publicKey,
    x: hexToBigInt(slice(publicKey, 0, 32)),
    y: hexToBigInt(slice(publicKey, 32)),
  }
}
