import { secp256k1 } from '@noble/curves/secp256k1'
import { keccak_256 } from '@noble/hashes/sha3'

/**
 * The two primitives for hashing and checking delegations. Noble's versions run everywhere; Node passes
 * faster ones (`createWasmEngine` of `@bardo/chain`), so that a page or a Snap does not have to bundle them.
 */
export type CryptoEngine = {
  keccak256(bytes: Uint8Array): Uint8Array
  /**
   * Recovers the public key, 65 bytes, from the signature `yParity   r   s` of a digest. Throws if there is
   * none.
   */
  recoverPublicKey(signature: Uint8Array, digest: Uint8Array): Uint8Array
}

/** The default engine. */
export const nobleEngine: CryptoEngine = {
  keccak256: keccak_256,
  recoverPublicKey: (signature, digest) =>
    secp256k1.Signature.fromCompact(signature.subarray(1))
      .addRecoveryBit(signature[0] ?? 0)
      .recoverPublicKey(digest)
      .toBytes(false),
}
