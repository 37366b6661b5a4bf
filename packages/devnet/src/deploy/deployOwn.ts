import type { ContractName } from '@bardo/core'
import { deploymentCall, planDeployment } from '@bardo/deploy'
import type { Address } from 'viem'
import type { Builder } from '../world/builder.ts'

/**
 * Deploys those of Bardo's contracts that a chain does not have, for its DelegationManager. Contracts of
 * earlier versions stay.
 */
export async function deployOwn(
  builder: Builder,
  delegationManager: Address,
): Promise<Record<ContractName, Address>> {
  const plan = planDeployment({ delegationManager })
  for (const contract of plan)
    if (!(await builder.client.getCode(contract))) await builder.send(deploymentCall(contract))
  return Object.fromEntries(plan.map(({ name, address }) => [name, address])) as Record<ContractName, Address>
}
