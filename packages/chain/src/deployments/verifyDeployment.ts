import { BardoError, type Deployment, frameworkVersion } from '@bardo/core'
import { isDeployed, planFor } from '@bardo/deploy'
import { type Address, type PublicClient, parseAbi } from 'viem'

const managerAbi = parseAbi(['function VERSION() view returns (string)'])

/**
 * Checks that a node is on the expected chain and that the deployment is there: Bardo's contracts with
 * exactly the expected code, the framework's contracts with any code, and the DelegationManager in the
 * expected version.
 */
export async function verifyDeployment(client: PublicClient, deployment: Deployment): Promise<void> {
  const { chainId, chain, framework } = deployment
  const actual = await client.getChainId()
  if (actual !== chainId)
    throw new BardoError('The RPC node is on a different chain.', {
      code: 'CHAIN_MISMATCH',
      details: [`expected chain: ${chainId}`, `the node’s chain: ${actual}`],
    })
  const { implementations, caveatEnforcers, ...single } = framework
  const theirs = Object.entries({ ...single, ...implementations, ...caveatEnforcers })
  const present = await Promise.all(theirs.map(([, address]) => hasCode(client, address)))
  const missing = theirs.filter((_, index) => !present[index])
  for (const contract of planFor(chain, framework.DelegationManager))
    if (!(await isDeployed(client, contract))) missing.push([contract.name, contract.address])
  if (missing.length > 0) throw mismatch(missing.map(([name, address]) => `${name} is not at ${address}`))
  const version = await client
    .readContract({ address: framework.DelegationManager, abi: managerAbi, functionName: 'VERSION' })
    .catch(() => 'none')
  if (version !== frameworkVersion)
    throw mismatch([`the DelegationManager has version ${version}, expected ${frameworkVersion}`])
}

async function hasCode(client: PublicClient, address: Address): Promise<boolean> {
  return (await client.getCode({ address })) !== undefined
}

function mismatch(details: readonly string[]) {
  return new BardoError('Contracts that Bardo needs are missing on this chain.', {
    code: 'CODE_MISMATCH',
    details,
    remedy: 'Check the RPC URL. Deploy Bardo’s contracts with `npm run deploy`.',
    docsPath: 'deployment.md',
  })
}
