import type { SmartAccount } from '@bardo/core'
import type { PublicClient } from 'viem'
import type { Bundler } from './bundler.ts'
import { createSubmitterOn, type SubmissionOptions, type Submitter } from './createSubmitter.ts'
import { type Paymaster, userOperationBackend } from './userOperationBackend.ts'

export type OperationSubmitterOptions = Omit<SubmissionOptions, 'chainId'> & {
  readonly client: PublicClient
  readonly account: SmartAccount
  readonly bundler: Bundler
  /** Pays for gas. Default: the account itself. */
  readonly paymaster?: Paymaster
}

/**
 * Lands calls of a smart account exactly once each, as UserOperations: stored signed before they are sent, at
 * one nonce, replaced at higher fees, and found on the chain itself. `hash` is the
 * bundler's transaction.
 *
 * @example
 * const bundler = httpBundler(url, { client, entryPoint: framework.EntryPoint })
 * const submitter = createOperationSubmitter({ client, account: sessionAccount, bundler, journal, clock })
 */
export function createOperationSubmitter(options: OperationSubmitterOptions): Submitter {
  const { client, account, bundler, paymaster } = options
  const backend = userOperationBackend({ client, account, bundler, ...(paymaster && { paymaster }) })
  return createSubmitterOn(backend, { ...options, chainId: account.chainId })
}
