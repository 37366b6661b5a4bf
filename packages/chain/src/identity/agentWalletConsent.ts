import type { Address } from 'viem'

/** Consent reaches at most this far ahead. Origin: ERC-8004's registries, version 2.0.0. */
export const longestConsentSeconds = 300n

/** A wallet's consent to act for an agent: it names the owner, so that it is worth nothing to the next one. */
export type AgentWalletConsent = {
  readonly agentId: bigint
  readonly newWallet: Address
  /** Who the registry says owns the agent: the guardian, while it keeps the token. */
  readonly owner: Address
  /** Unix seconds. */
  readonly deadline: bigint
}

/** What the new wallet signs: an EOA as itself, a session account by its signer (ERC-1271). */
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
