import { type Address, concat, numberToHex, pad, toFunctionSelector } from 'viem'
import type { SmartAccount } from '../accounts/smartAccount.ts'
import { metamaskKinds } from '../caveats/metamask/metamaskKinds.ts'
import { type Delegation, rootAuthority } from '../delegation/delegation.ts'
import { metamaskCaveat } from '../deployments/metamaskCaveat.ts'

const selector = toFunctionSelector('setAgentWallet(uint256,address,uint256,bytes)')

/** Lets a Golem's key make itself the wallet of one agent, once. */
export type AgentWalletGrant = {
  /** The key: it redeems, and becomes the wallet. */
  readonly key: Address
  readonly agentId: bigint
  /** The registry, or the guardian contract while it holds the token. */
  readonly target: Address
  /** Unix seconds, inclusive. */
  readonly end: bigint
  /** A number that no grant with the same content has used. */
  readonly salt: bigint
}

/**
 * The delegation that an account signs so that its Golem's key can register itself as the agent's wallet, unsigned. The
 * key's own consent is valid for five minutes only, so that an owner who signs elsewhere could not send it in time: the
 * owner signs this instead, and the key sends. Agent and wallet are fixed, and it works once: a key that is stolen after
 * its rotation cannot make itself the wallet again.
 *
 * @example
 * const grant = unsignedAgentWalletGrant(account, { key, agentId: 7n, target: registry, end, salt })
 */
export function unsignedAgentWalletGrant(
  { address, framework }: Pick<SmartAccount, 'address' | 'framework'>,
  { key, agentId, target, end, salt }: AgentWalletGrant,
): Delegation {
  const value = concat([selector, numberToHex(agentId, { size: 32 }), pad(key)])
  const caveats = [
    metamaskCaveat(framework, metamaskKinds.AllowedTargets, { targets: [target] }),
    metamaskCaveat(framework, metamaskKinds.AllowedCalldata, { startIndex: 0, value }),
    metamaskCaveat(framework, metamaskKinds.ValueLte, { maxValue: 0n }),
    metamaskCaveat(framework, metamaskKinds.LimitedCalls, { limit: 1 }),
    metamaskCaveat(framework, metamaskKinds.Timestamp, {
      afterThreshold: 0,
      beforeThreshold: Number(end) + 1,
    }),
  ]
  return { delegate: key, delegator: address, authority: rootAuthority, caveats, salt, signature: '0x' }
}
