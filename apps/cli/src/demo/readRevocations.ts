import { type Address, type Hash, parseAbi } from 'viem'
import type { Stage } from './openStage.ts'

/** A revoked delegation. */
export type Revocation = {
  readonly delegation: Hash
  readonly delegator: Address
  readonly transaction: Hash
}

const [event] = parseAbi([
  'event DisabledDelegation(bytes32 indexed delegationHash, address indexed delegator, address indexed delegate, (address delegate, address delegator, bytes32 authority, (address enforcer, bytes terms, bytes args)[] caveats, uint256 salt, bytes signature) delegation)',
])

/** Every delegation that was disabled after a block, from the DelegationManager's events. */
export async function readRevocations(
  { client, deployment }: Stage,
  first: bigint,
): Promise<readonly Revocation[]> {
  const { DelegationManager: address } = deployment.framework
  const logs = await client.getLogs({ address, event, fromBlock: first + 1n, strict: true })
  return logs.map(({ args, transactionHash: transaction }) => ({
    delegation: args.delegationHash,
    delegator: args.delegator,
    transaction,
  }))
}
