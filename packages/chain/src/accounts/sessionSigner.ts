import type { AccountSigner, Curve, SessionKey } from '@bardo/core'
import type { Address, Hex, LocalAccount } from 'viem'
import { sessionKeyAccount } from './sessionKeyAccount.ts'
import { sessionKeySigner } from './sessionKeySigner.ts'

/**
 * Signs with a session key and names it. It has no function that returns or wipes the key, so code that holds
 * a signer does not hold the key.
 */
export type SessionSigner = {
  readonly curve: Curve
  /** The curve's point, 64 bytes: x and y. */
  readonly publicKey: Hex
  /** The address of `account`. Undefined for a P-256 key. */
  readonly address: Address | undefined
  /** The key as an account that sends its own transactions. Undefined for a P-256 key. */
  readonly account: LocalAccount | undefined
  /** The key as the signer of a smart account. */
  readonly accountSigner: AccountSigner
}

/**
 * A session key as a signer.
 *
 * @example
 * const { account } = sessionSigner(key)
 */
export function sessionSigner(key: SessionKey): SessionSigner {
  const { curve, publicKey, address } = key
  const account = curve === 'secp256k1' ? sessionKeyAccount(key) : undefined
  return { curve, publicKey, address, account, accountSigner: sessionKeySigner(key) }
}
