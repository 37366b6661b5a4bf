import { BardoError } from '@bardo/core'
import type { Hex, PublicClient } from 'viem'
import { deploymentCall } from './create2Factory.ts'
import type { PlannedContract } from './planDeployment.ts'

/**
 * - `deployed`: it exists, with exactly the expected code.
 * - `missing`: it can be deployed, with this much gas.
 * - `waiting`: a third-party contract that it needs does not exist.
 */
export type Inspected = PlannedContract &
  ({ readonly state: 'deployed' | 'waiting' } | { readonly state: 'missing'; readonly gas: bigint })

/** What of a plan already exists on a chain, and the gas for the rest. Sends nothing. */
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

/** Whether a contract exists. Throws if the code at its address is not the expected one. */
export async function isDeployed(client: PublicClient, contract: PlannedContract): Promise<boolean> {
  const code = await client.getCode({ address: contract.address })
  if (!code) return false
  if (code === (await expectedCode(client, contract))) return true
  throw new BardoError(`The code at the address of ${contract.name} is not the expected code.`, {
    code: 'CODE_MISMATCH',
    details: [`address: ${contract.address}`],
    remedy: 'Do not use this node: the address of this contract determines its code.',
    docsPath: 'deployment.md#when-it-refuses',
  })
}

/**
 * The code of a contract after its deployment. The node runs its creation code at the contract's own address,
 * so that chain, address and arguments are the real ones; the returned bytes are what would be stored.
 */
async function expectedCode(
  client: PublicClient,
  { address, initCode }: PlannedContract,
): Promise<Hex | undefined> {
  const { data } = await client.call({ to: address, stateOverride: [{ address, code: initCode }] })
  return data
}
