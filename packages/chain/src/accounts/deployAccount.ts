import { BardoError } from '@bardo/core'
import type { PublicClient } from 'viem'
import type { Landed, Submitter } from '../submission/createSubmitter.ts'
import type { SmartAccount } from './smartAccount.ts'

/**
 * Deploys an account unless it is there; the submitter's key pays, whoever it is. Undefined: nothing had to be done.
 * A direct redemption needs its root there; the manager says `InvalidEOASignature` to one that is not.
 */
export async function deployAccount(
  { client, submitter }: { readonly client: PublicClient; readonly submitter: Submitter },
  { address, factory, chainId }: SmartAccount,
): Promise<Landed | undefined> {
  if (!factory || (await client.getCode({ address }))) return undefined
  try {
    return await submitter.submit({ id: `deploy-${chainId}-${address.toLowerCase()}`, ...factory })
  } catch (error) {
    // Somebody else was faster: then it is there, which is all that was wanted.
    const isLate = error instanceof BardoError && error.outcome === 'not-sent'
    if (isLate && (await client.getCode({ address }))) return undefined
    throw error
  }
}
