import type { Address } from 'viem'

/** A consent's deadline is at most this far ahead: the limit in ERC-8004's registries, version 2.0.0. */
export const longestConsentSeconds = 300n

/** A wallet's consent to act for an agent. It names the owner, so the next owner cannot use it. */
export type AgentWalletConsent = {
  readonly agentId: bigint
  readonly newWallet: Address
  /** The agent's owner in the registry: the guardian contract, while it holds the token. */
  readonly owner: Address
  /** Unix seconds. */
  readonly deadline: bigint
}

/** What the new wallet signs: an EOA directly, a session account with its signer (ERC-1271). */
export function agentWalletConsentTypedData(chainId: number, registry: Address, message: AgentWalletConsent) {
  return {
    domain: { name: 'ERC8004IdentityRegistry', version: '1', chainId, verifyingContract: registry },
    types: {
      AgentWalletSet: [
        { name: 'agentId', type: 'uint256' },
        { name: 'newWallet', type: 'address' },
        { name: 'owner', type: 'address' },
        { name: 'deadline', type: 'uint256' },
      ],
    },
    primaryType: 'AgentWalletSet',
    message,
  } as const
}
