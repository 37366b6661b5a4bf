import type { Address } from 'viem'

/** A chain that Bardo supports. */
export type SupportedChain = {
  readonly id: number
  readonly currency: string
  /** Its ERC-8004 identity registry; the devnet gets Bardo's. */
  readonly identityRegistry?: Address
  /** A sequencer orders its blocks; prices are old while it is down. */
  readonly isRollup?: true
}

// The ERC-8004 registries have one address on all main networks and another on all test networks.
const mainRegistry = '0x8004A169FB4a3325136EB29fA0ceB6D2e539a432'
const testRegistry = '0x8004A818BFB912233c491871b3d84c89A494BD9e'

/** The chains that Bardo supports and the local devnet, by name. */
export const supportedChains = {
  base: { id: 8453, currency: 'ETH', identityRegistry: mainRegistry, isRollup: true },
  ethereum: { id: 1, currency: 'ETH', identityRegistry: mainRegistry },
  celo: { id: 42220, currency: 'CELO', identityRegistry: mainRegistry, isRollup: true },
  arbitrum: { id: 42161, currency: 'ETH', identityRegistry: mainRegistry, isRollup: true },
  'base-sepolia': { id: 84532, currency: 'ETH', identityRegistry: testRegistry, isRollup: true },
  sepolia: { id: 11155111, currency: 'ETH', identityRegistry: testRegistry },
  devnet: { id: 31337, currency: 'ETH' },
} as const satisfies Record<string, SupportedChain>

export type ChainName = keyof typeof supportedChains
