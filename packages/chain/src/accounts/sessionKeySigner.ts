import { type AccountSigner, p256KeyOf, type SessionKey, walletSigner } from '@bardo/core'
import { concat, hashTypedData, keccak256, sha256, stringToHex, toBytes } from 'viem'
import { sessionKeyAccount } from './sessionKeyAccount.ts'

/** A session key as the signer of its session account, on either curve. */
export function sessionKeySigner(key: SessionKey): AccountSigner {
  if (key.curve === 'secp256k1') return walletSigner(sessionKeyAccount(key))
  const keyIdHash = keccak256(stringToHex(p256KeyOf(key).keyId))
  return {
    async signTypedData(typedData) {
      // The account hashes the digest once more before it checks, as P-256 hardware does.
      const { r, s } = key.sign(toBytes(sha256(hashTypedData(typedData))))
      return concat([keyIdHash, r, s])
    },
    stub: concat([keyIdHash, `0x${'77'.repeat(32)}`, `0x${'77'.repeat(32)}`]),
    verificationGas: 600_000n,
  }
}
