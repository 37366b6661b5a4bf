import { BardoError } from '@bardo/core'
import { isDeployed, planFor } from '@bardo/deploy'
import { type Address, type PublicClient, parseAbi } from 'viem'
import type { Deployment } from './deployment.ts'
import { frameworkVersion } from './framework.ts'

const managerAbi = parseAbi(['function VERSION() view returns (string)'])

/**
 * Looks whether a node's chain is the one that was meant and has what the deployment names: our contracts with exactly
 * the code they should have, the framework's with some code, and its manager of the version we know.
 */
export async function verifyDeployment(client: PublicClient, deployment: Deployment): Promise<void> {
  const { chainId, chain, framework } = deployment
  const actual = await client.getChainId()
  if (actual !== chainId)
    throw new BardoError('The node is of another chain.', {
      code: 'CHAIN_MISMATCH',
      details: [`${chainId} was meant`, `the node answers for ${actual}`],
    })
  const { implementations, caveatEnforcers, ...single } = framework
  const theirs = Object.entries({ ...single, ...implementations, ...caveatEnforcers })
  const found = await Promise.all(theirs.map(([, address]) => hasCode(client, address)))
  const absent = theirs.filter((_, index) => !found[index])
  for (const contract of planFor(chain))
    if (!(await isDeployed(client, contract))) absent.push([contract.name, contract.address])
  if (absent.length > 0) throw mismatch(absent.map(([name, address]) => `${name} is not at ${address}`))
  const version = await client
    .readContract({ address: framework.DelegationManager, abi: managerAbi, functionName: 'VERSION' })
    .catch(() => 'none')
  if (version !== frameworkVersion)
    throw mismatch([`the manager says version ${version}, known is ${frameworkVersion}`])
}

async function hasCode(client: PublicClient, address: Address): Promise<boolean> {
  return (await client.getCode({ address })) !== undefined
}

function mismatch(details: readonly string[]) {
  return new BardoError('The chain does not have what Bardo needs there.', {
    code: 'CODE_MISMATCH',
    details,
    remedy: 'Check the node’s address; what is ours is put there by `npm run deploy`.',
    docsPath: 'deployment.md',
  })
}
