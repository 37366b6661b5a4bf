import type { PublicClient } from 'viem'
import type { SmartAccount } from '../accounts/smartAccount.ts'
import type { Bundler } from './bundler.ts'
import { createSubmitterOn, type SubmissionOptions, type Submitter } from './createSubmitter.ts'
import { type Paymaster, userOperationRail } from './userOperationRail.ts'

export type OperationSubmitterOptions = Omit<SubmissionOptions, 'chainId'> & {
  readonly client: PublicClient
  readonly account: SmartAccount
  readonly bundler: Bundler
  /** Who pays for gas; the account itself unless told. */
  readonly paymaster?: Paymaster
}

/**
 * Lands calls of a smart account once each (P8), as UserOperations: stored signed before they are sent, at one nonce,
 * replaced by higher fees, found on the chain itself. `hash` is the operation's.
 *
 * @example
 * const bundler = httpBundler(url, { client, entryPoint: framework.EntryPoint })
 * const submitter = createOperationSubmitter({ client, account: sessionAccount, bundler, journal, clock })
 */
export function createOperationSubmitter(options: OperationSubmitterOptions): Submitter {
  const { client, account, bundler, paymaster } = options
  const rail = userOperationRail({ client, account, bundler, ...(paymaster && { paymaster }) })
  return createSubmitterOn(rail, { ...options, chainId: account.chainId })
}
