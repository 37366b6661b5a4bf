import { BardoError, hybridAccount, walletSigner } from '@bardo/core'
import type { Address } from 'viem'
import type { OperationContext } from './ownerOperation.ts'

/**
 * The owner's smart account.
 *
 * @example
 * const account = accountOf({ deployment, owner })
 */
export function accountOf({ deployment, owner }: Pick<OperationContext, 'deployment' | 'owner'>): Address {
  const signTypedData = () =>
    Promise.reject(new BardoError('This account has no signer.', { code: 'INTERNAL' }))
  return hybridAccount(deployment, { began: { owner }, signer: walletSigner({ signTypedData }) }).address
}
