import type { DailyCosts, RotationPolicy } from '@bardo/core'
import type { DelegationBounds } from '@bardo/wallets'
import type { Address } from 'viem'
import type { Secret } from '../secret/secret.ts'

/** Who signs. One Golem has one. */
export type Provider =
  | { readonly is: 'delegation' }
  /** Without a key of the owner's, one is made and sealed. */
  | { readonly is: 'localKey'; readonly key: Secret | undefined; readonly bounds: DelegationBounds }
  | { readonly is: 'privy'; readonly appId: string; readonly appSecret: Secret }
  | { readonly is: 'safe'; readonly address: Address; readonly signerKey: Secret }
  | { readonly is: 'zeroDev'; readonly projectId: string }
  | { readonly is: 'lit'; readonly authToken: Secret }
  | { readonly is: 'bardoWallet'; readonly walletId: string }

/** Models by tier, behind one endpoint. */
export type ModelConfig = {
  readonly endpoint: string
  readonly key: Secret | undefined
  readonly tiers: Readonly<Record<'T0' | 'T1' | 'T2', string>>
  readonly second: string
}

/** All that a Golem is told before it lives. */
export type GolemConfig = {
  readonly id: string
  readonly chain: number
  /** Holds a key more often than not. */
  readonly rpc: Secret | undefined
  /** Where its files lie. */
  readonly dataFolder: string
  readonly strategyFile: string
  readonly heartbeatFile: string
  readonly provider: Provider
  readonly rotation: RotationPolicy
  readonly model: ModelConfig | undefined
  /** What it lives on, and what a day costs, in cents. */
  readonly economy: { readonly runwayCents: bigint; readonly dailyCosts: DailyCosts }
  /** Of the pools that it trades in, in hundredths of a basis point. */
  readonly poolFee: number
  /** Ticks for which a capability can be used. */
  readonly capabilityExpiryTicks: number
  /** Names in the environment that begin like ours and mean nothing here: most often a slip. */
  readonly unknownVariables: readonly string[]
}
