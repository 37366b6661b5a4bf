import { BardoError, type SmartAccount } from '@bardo/core'
import type { PublicClient } from 'viem'
import type { Landed, Submitter } from '../submission/createSubmitter.ts'

/**
 * Deploys an account if it does not exist; the submitter's key pays. Undefined if the account already exists.
 * A direct redemption needs the root's account deployed: otherwise the manager reverts with
 * `InvalidEOASignature`.
 */
export async function deployAccount(
  { client, submitter }: { readonly client: PublicClient; readonly submitter: Submitter },
  { address, factory, chainId }: Pick<SmartAccount, 'address' | 'factory' | 'chainId'>,
): Promise<Landed | undefined> {
  if (!factory || (await client.getCode({ address }))) return undefined
  try {
    return await submitter.submit({ id: `deploy-${chainId}-${address.toLowerCase()}`, ...factory })
  } catch (error) {
    // Another transaction deployed it first: the account exists, so this call has nothing to do.
    const isLate = error instanceof BardoError && error.outcome === 'not-sent'
    if (isLate && (await client.getCode({ address }))) return undefined
    throw error
  }
}
