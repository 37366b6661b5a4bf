import type { Bundler } from '@bardo/chain'
import { type DevnetConnection, devnetAccount } from '@bardo/devnet'
import type { Route } from '@bardo/wallets'
import { createPublicClient, createWalletClient, encodeFunctionData, http } from 'viem'
import { entryPoint07Abi, toPackedUserOperation } from 'viem/account-abstraction'

type Operations = Extract<Route, { type: 'userOperation' }>

/** The route `userOperation` with a bundler in this process: the operator calls the EntryPoint. */
export function operationRoute(
  { url, chain, framework }: DevnetConnection,
  around: (send: () => Promise<void>) => Promise<void> = (send) => send(),
): Operations {
  const account = devnetAccount('operator')
  const client = createPublicClient({ chain, transport: http(url), cacheTime: 0, pollingInterval: 20 })
  const wallet = createWalletClient({ account, chain, transport: http(url) })
  const bundler: Bundler = {
    estimate: async ({ factory, verificationGasLimit }) => ({
      verificationGasLimit: verificationGasLimit + (factory ? 400_000n : 0n),
      preVerificationGas: 60_000n,
    }),
    fees: () => client.estimateFeesPerGas(),
    send: (operation) =>
      around(async () => {
        const args = [[toPackedUserOperation(operation)], account.address] as const
        const data = encodeFunctionData({ abi: entryPoint07Abi, functionName: 'handleOps', args })
        const hash = await wallet.sendTransaction({ to: framework.EntryPoint, data })
        await client.waitForTransactionReceipt({ hash })
      }),
  }
  return { type: 'userOperation', bundler: () => bundler }
}
