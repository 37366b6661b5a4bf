import { http, type PublicClient } from 'viem'
import { createPaymasterClient } from 'viem/account-abstraction'
import type { Paymaster } from './userOperationBackend.ts'

/**
 * A paymaster behind a URL (ERC-7677). It is asked again for every attempt, because it signs nonce and fees.
 *
 * @example
 * const paymaster = httpPaymaster('https://paymaster.example')
 * createOperationSubmitter({ client, account, bundler, paymaster, journal, clock })
 */
export function httpPaymaster(
  url: string,
  { chain }: Pick<PublicClient, 'chain'> = { chain: undefined },
): Paymaster {
  const client = createPaymasterClient({ transport: http(url, { retryCount: 0 }), ...(chain && { chain }) })
  return (operation) => client.getPaymasterData(operation)
}
