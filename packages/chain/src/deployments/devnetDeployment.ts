import {
  type ContractName,
  type Deployment,
  deploymentOn,
  type Framework,
  supportedChains,
} from '@bardo/core'
import { planFor } from '@bardo/deploy'
import type { Address } from 'viem'

/**
 * The addresses in a local devnet with its own framework: one that version 0.1 created. Bardo's enforcers accept
 * only the DelegationManager that they were deployed for, so their addresses are computed from it. For a new
 * devnet `deploymentOn(31337)` gives the same addresses.
 *
 * @example
 * const { contracts } = devnetDeployment(world.framework)
 */
export function devnetDeployment(framework: Framework): Deployment {
  const planned = planFor('devnet', framework.DelegationManager).map(({ name, address }) => [name, address])
  const contracts = Object.fromEntries(planned) as Record<ContractName, Address>
  return { ...deploymentOn(supportedChains.devnet.id), framework, contracts }
}
