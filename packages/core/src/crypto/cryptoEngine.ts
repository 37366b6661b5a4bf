import { secp256k1 } from '@noble/curves/secp256k1'
import { keccak_256 } from '@noble/hashes/sha3'

/**
 * The two primitives that hashing and checking delegations is made of. Noble's run everywhere; Node passes faster ones
 * in (`createWasmEngine` of `@bardo/chain`), so that a page and a Snap need not carry them.
 */
export type CryptoEngine = {
  keccak256(bytes: Uint8Array): Uint8Array
  /** The public key, 65 bytes, of whoever made the signature `yParity | r | s` of a digest. Throws where there is none. */
  recoverPublicKey(signature: Uint8Array, digest: Uint8Array): Uint8Array
}

/** The engine that is used unless another is passed in. */
export const nobleEngine: CryptoEngine = {
  keccak256: keccak_256,
  recoverPublicKey: (signature, digest) =>
    secp256k1.Signature.fromCompact(signature.subarray(1))
      .addRecoveryBit(signature[0] ?? 0)
      .recoverPublicKey(digest)
      .toBytes(false),
}
