import { BardoError, type SessionKey } from '@bardo/core'
import {
  type Hex,
  hashMessage,
  hashTypedData,
  hexToBytes,
  keccak256,
  type LocalAccount,
  serializeSignature,
  serializeTransaction,
} from 'viem'
import { toAccount } from 'viem/accounts'

/**
 * A secp256k1 session key as a viem account. The secret stays in the session key: only digests are passed in.
 */
export function sessionKeyAccount(key: SessionKey): LocalAccount {
  if (!key.address)
    throw new BardoError('A P-256 key cannot be an account.', {
      code: 'INVALID_INPUT',
      remedy: 'Use it as the signer of a session account.',
    })
  const sign = (digest: Hex) => key.sign(hexToBytes(digest))
  const signHex = (digest: Hex) => serializeSignature(sign(digest))
  return toAccount({
    address: key.address,
    sign: async ({ hash }) => signHex(hash),
    signMessage: async ({ message }) => signHex(hashMessage(message)),
    signTypedData: async (typedData) => signHex(hashTypedData(typedData)),
    async signTransaction(transaction, { serializer = serializeTransaction } = {}) {
      const unsigned = await serializer(transaction)
      return serializer(transaction, sign(keccak256(unsigned)))
    },
  })
}
