import type { Attempt, Intent } from '@bardo/core'
import { keccak256, type LocalAccount } from 'viem'
import type { Signing } from './submissionBackend.ts'

/** Signs transactions: a viem account, or a session key as one. */
export type TransactionSigner = Pick<LocalAccount, 'address' | 'signTransaction'>

export const selfTransferGas = 21_000n

/** Another transaction at the intent's nonce: the intent itself, or an empty self-transfer. */
export async function signAttempt(
  signer: TransactionSigner,
  { chainId, from, to, value, data, gas }: Intent,
  { nonce, fees, purpose, at }: Signing,
): Promise<Attempt> {
  const call = purpose === 'intent' ? { to, value, data, gas } : { to: from, value: 0n, gas: selfTransferGas }
  const raw = await signer.signTransaction({ type: 'eip1559', chainId, nonce, ...fees, ...call })
  return { hash: keccak256(raw), raw, purpose, ...fees, storedAt: at }
}
