import { BardoError, type ChainName, supportedChains } from '@bardo/core'
import {
  BaseError,
  createWalletClient,
  defineChain,
  formatEther,
  type Hash,
  http,
  InsufficientFundsError,
  type PublicClient,
} from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { deploymentCall } from './create2Factory.ts'
import { type Inspected, isDeployed } from './inspect.ts'
import type { PlannedContract } from './planDeployment.ts'

type Missing = Extract<Inspected, { state: 'missing' }>

export type Broadcast = {
  readonly client: PublicClient
  readonly rpcUrl: string
  readonly chain: ChainName
  readonly account: PrivateKeyAccount
  readonly inspected: readonly Inspected[]
  /** Called with each contract once it is deployed. */
  readonly onDeployed: (contract: PlannedContract) => void
}

/**
 * Deploys what is missing, one contract after another, and checks each one. It can be run again at any time:
 * contracts that exist are skipped.
 */
export async function broadcast(options: Broadcast): Promise<void> {
  const { client, inspected, onDeployed } = options
  const missing = inspected.filter((contract): contract is Missing => contract.state === 'missing')
  await requireFunds(options, missing)
  for (const contract of missing) {
    // A transaction of an earlier run may have landed since.
    if (await isDeployed(client, contract)) continue
    const hash = await send(options, contract)
    await requireLanded(client, contract, hash)
    onDeployed(contract)
  }
}

/** The gas limit of a deployment: the estimate is based on the current state and fees. */
const withMargin = (gas: bigint) => (gas * 12n) / 10n

async function requireFunds({ client, account, chain }: Broadcast, missing: readonly Missing[]) {
  const { maxFeePerGas } = await client.estimateFeesPerGas()
  const needed = missing.reduce((sum, { gas }) => sum + withMargin(gas), 0n) * maxFeePerGas
  const balance = await client.getBalance({ address: account.address })
  if (balance >= needed) return
  throw insufficientFunds(account, chain, [
    `balance: ${formatEther(balance)} ${supportedChains[chain].currency}`,
    `needed: up to ${formatEther(needed)} ${supportedChains[chain].currency}, at ${maxFeePerGas} wei per unit of gas`,
  ])
}

async function send({ account, chain, rpcUrl }: Broadcast, contract: Missing): Promise<Hash> {
  const wallet = createWalletClient({
    account,
    chain: defineChain({
      id: supportedChains[chain].id,
      name: chain,
      nativeCurrency: {
        name: supportedChains[chain].currency,
        symbol: supportedChains[chain].currency,
        decimals: 18,
      },
      rpcUrls: { default: { http: [rpcUrl] } },
    }),
    transport: http(rpcUrl),
  })
  try {
    return await wallet.sendTransaction({ ...deploymentCall(contract), gas: withMargin(contract.gas) })
  } catch (cause) {
    if (cause instanceof BaseError && cause.walk((error) => error instanceof InsufficientFundsError))
      throw insufficientFunds(account, chain, [`while deploying ${contract.name}`], cause)
    throw interrupted(`The node did not accept the deployment of ${contract.name}.`, [], cause)
  }
}

async function requireLanded(client: PublicClient, contract: Missing, hash: Hash) {
  const details = [`transaction ${hash}`]
  const receipt = await client.waitForTransactionReceipt({ hash }).catch((cause) => {
    throw interrupted(`The deployment of ${contract.name} was sent, but has not landed.`, details, cause)
  })
  // It reverts if another deployer was faster. In that case the contract exists.
  if (await isDeployed(client, contract)) return
  if (receipt.status === 'success') throw interrupted(`The node does not show ${contract.name} yet.`, details)
  throw new BardoError(`The deployment of ${contract.name} reverted.`, {
    code: 'TRANSACTION_REVERTED',
    details,
    outcome: 'landed',
    docsPath: 'deployment.md#when-it-refuses',
  })
}

function insufficientFunds(
  { address }: PrivateKeyAccount,
  chain: ChainName,
  details: readonly string[],
  cause?: unknown,
) {
  return new BardoError('The deployer has too little balance for the deployment.', {
    code: 'INSUFFICIENT_FUNDS',
    details: [`${address} on ${chain}`, ...details],
    remedy: 'Fund the deployer and run the command again: deployed contracts are skipped.',
    docsPath: 'deployment.md#when-it-refuses',
    cause,
  })
}

function interrupted(message: string, details: readonly string[], cause?: unknown) {
  return new BardoError(message, {
    code: 'RPC_UNAVAILABLE',
    details,
    outcome: 'unknown',
    remedy: 'Run the command again in a moment: deployed contracts are skipped.',
    docsPath: 'deployment.md#when-it-refuses',
    cause,
  })
}
