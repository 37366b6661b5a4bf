import { BardoError } from '@bardo/core'
import type { Hex, PublicClient } from 'viem'
import { deploymentCall } from './create2Factory.ts'
import type { PlannedContract } from './planDeployment.ts'

/**
 * - `deployed`: it is there, with exactly the code it should have.
 * - `missing`: it can be deployed, for so much gas.
 * - `waiting`: a contract of others' that it is told of is not there.
 */
export type Inspected = PlannedContract &
  ({ readonly state: 'deployed' | 'waiting' } | { readonly state: 'missing'; readonly gas: bigint })

/** What of a plan is on a chain already, and what the rest takes. Sends nothing. */
export async function inspect(client: PublicClient, plan: readonly PlannedContract[]): Promise<Inspected[]> {
  const inspected: Inspected[] = []
  for (const contract of plan) inspected.push(await inspectOne(client, contract))
  return inspected
}

async function inspectOne(client: PublicClient, contract: PlannedContract): Promise<Inspected> {
  if (await isDeployed(client, contract)) return { ...contract, state: 'deployed' }
  if (contract.needs && !(await client.getCode({ address: contract.needs })))
    return { ...contract, state: 'waiting' }
  return { ...contract, state: 'missing', gas: await client.estimateGas(deploymentCall(contract)) }
}

/** Whether a contract is there. One that is there with another code than it should have is refused. */
export async function isDeployed(client: PublicClient, contract: PlannedContract): Promise<boolean> {
  const code = await client.getCode({ address: contract.address })
  if (!code) return false
  if (code === (await expectedCode(client, contract))) return true
  throw new BardoError(`What stands in the place of ${contract.name} is something else.`, {
    code: 'CODE_MISMATCH',
    details: [`at ${contract.address}`],
    remedy: 'Do not use this chain through this node: an address says what its code is.',
    docsPath: 'deployment.md#when-it-refuses',
  })
}

/**
 * The code that a contract has once it is deployed. Its creation code is run by the node in the contract's own place, so
 * that chain, address and arguments are what they would be; what it returns is what would be stored.
 */
async function expectedCode(
  client: PublicClient,
  { address, initCode }: PlannedContract,
): Promise<Hex | undefined> {
  const { data } = await client.call({ to: address, stateOverride: [{ address, code: initCode }] })
  return data
}
