import { createSubmitterOn, type SubmissionOptions, type Submitter } from '@bardo/chain'
import type { PublicClient } from 'viem'
import type { Wallet } from './wallet.ts'

/** The journal, the clock and the chain of a wallet's submitter. */
export type WalletSubmitterOptions = Omit<SubmissionOptions, 'isKeyless'> & {
  readonly client: PublicClient
}

/**
 * Executes the calls of a wallet, each exactly once: journaled before it is signed, and signed before it is
 * broadcast. The wallet's backend decides how a call reaches the chain.
 *
 * @example
 * const submitter = createWalletSubmitter(wallet, { client, chainId: 8453, journal, clock })
 * const { hash } = await submitter.submit({ id: 'tick-42', to, data })
 */
export function createWalletSubmitter(wallet: Wallet, options: WalletSubmitterOptions): Submitter {
  return createSubmitterOn(wallet.backend(options), options)
}
