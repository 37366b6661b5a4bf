import { type Address, createClient, type Hex, http, type PublicClient, rpcSchema } from 'viem'
import { estimateUserOperationGas, sendUserOperation } from 'viem/account-abstraction'
import type { Operation } from '../accounts/userOperation.ts'
import type { Fees } from './fees.ts'
import { feesFrom, readGasMarket } from './gasMarket.ts'

/** The gas of an operation, without its call. */
export type OperationGas = { readonly verificationGasLimit: bigint; readonly preVerificationGas: bigint }

/** Submits UserOperations. It is not trusted: results are read from the chain itself. */
export type Bundler = {
  estimate(operation: Operation): Promise<OperationGas>
  fees(): Promise<Fees>
  /** Throws the bundler's own error. */
  send(operation: Operation): Promise<void>
}

/** A method that only Pimlico's bundlers have. */
type GasPriceSchema = [
  {
    Method: 'pimlico_getUserOperationGasPrice'
    Parameters?: undefined
    ReturnType: { readonly fast: { readonly [Fee in keyof Fees]: Hex } }
  },
]

/** A bundler behind a URL (ERC-7769). Uses its fee advice if it gives any, otherwise the node's. */
export function httpBundler(
  url: string,
  { client, entryPoint }: { readonly client: PublicClient; readonly entryPoint: Address },
): Bundler {
  const bundler = createClient({
    transport: http(url, { retryCount: 0 }),
    rpcSchema: rpcSchema<GasPriceSchema>(),
  })
  return {
    async estimate(operation) {
      const gas = await estimateUserOperationGas(bundler, { ...operation, entryPointAddress: entryPoint })
      return { verificationGasLimit: gas.verificationGasLimit, preVerificationGas: gas.preVerificationGas }
    },
    async fees() {
      try {
        const { fast } = await bundler.request({ method: 'pimlico_getUserOperationGasPrice' })
        const { maxFeePerGas, maxPriorityFeePerGas } = fast
        return { maxFeePerGas: BigInt(maxFeePerGas), maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas) }
      } catch {
        // Not every bundler has the method. The node's advice is enough: a replacement raises the fee.
        return feesFrom(await readGasMarket(client))
      }
    },
    async send(operation) {
      await sendUserOperation(bundler, { ...operation, entryPointAddress: entryPoint })
    },
  }
}
