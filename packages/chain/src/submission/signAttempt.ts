import type { Attempt, Intent } from '@bardo/core'
import { keccak256, type LocalAccount } from 'viem'
import type { Signing } from './rail.ts'

/** Whoever signs: a viem account, or a session key as one. */
export type TransactionSigner = Pick<LocalAccount, 'address' | 'signTransaction'>

const selfTransferGas = 21_000n

/** A further transaction at the intent's nonce: the intent itself, or a transfer of nothing to oneself. */
export async function signAttempt(
  signer: TransactionSigner,
  { chainId, from, to, value, data, gas }: Intent,
  { nonce, fees, purpose, at }: Signing,
): Promise<Attempt> {
  const call = purpose === 'intent' ? { to, value, data, gas } : { to: from, value: 0n, gas: selfTransferGas }
  const raw = await signer.signTransaction({ type: 'eip1559', chainId, nonce, ...fees, ...call })
  return { hash: keccak256(raw), raw, purpose, ...fees, storedAt: at }
}
