import type { Curve, DayPrices, RotationPolicy, StatedRules } from '@bardo/core'
import type { DelegationBounds } from '@bardo/wallets'
import type { Address } from 'viem'
import type { ModelPrices } from './modelPrices.ts'
import type { Secret } from './secret.ts'

/** The wallet that signs. A Golem has exactly one. */
export type Provider =
  | { readonly type: 'delegation' }
  /** If the owner gives no key, one is generated and sealed. */
  | { readonly type: 'localKey'; readonly key: Secret | undefined; readonly bounds: DelegationBounds }
  | { readonly type: 'privy'; readonly appId: string; readonly appSecret: Secret }
  | { readonly type: 'safe'; readonly address: Address; readonly signerKey: Secret }
  | { readonly type: 'zeroDev'; readonly projectId: string }
  | { readonly type: 'lit'; readonly authToken: Secret }
  | { readonly type: 'bardoWallet'; readonly walletId: string }

/** How a Golem's calls reach the chain. The URLs usually contain an API key. */
export type SubmissionConfig =
  | { readonly route: 'direct' }
  | {
      readonly route: 'userOperation'
      /** Undefined if neither file nor environment names one; a new Golem is then refused. */
      readonly bundler: Secret | undefined
      readonly paymaster: Secret | undefined
    }

/** Models by tier, behind one endpoint. */
export type ModelConfig = {
  readonly tiers: Readonly<Record<'T0' | 'T1' | 'T2', string>>
  /** Without a second model, an action that needs a second opinion waits. */
  readonly second: string | undefined
  readonly prices: ModelPrices
} & (
  | { readonly endpoint: string; readonly key: Secret | undefined }
  /** The operator's list does not contain the named model: rules decide until it does. */
  | { readonly endpoint: undefined; readonly problem: string }
)

/** The configuration of a Golem. */
export type GolemConfig = {
  readonly chain: number
  /** The node, for a command without --rpc. Usually contains an API key. */
  readonly rpc: Secret | undefined
  /** The files that it is summoned with, relative to golem.toml. */
  readonly strategyFile: string | undefined
  readonly heartbeatFile: string | undefined
  readonly provider: Provider
  readonly submission: SubmissionConfig
  readonly keys: { readonly curve: Curve }
  /** The rules of `[constitution]`. */
  readonly constitution: StatedRules | undefined
  readonly rotation: RotationPolicy
  readonly model: ModelConfig | undefined
  /** The allotment of a signed window, and the prices of a day of compute and data, in cents. */
  readonly economy: { readonly runwayCents: bigint; readonly dayPrices: DayPrices }
  /** The fee of the pools it trades in, in hundredths of a basis point. */
  readonly poolFee: number
  /** The number of ticks for which a capability is valid. */
  readonly capabilityExpiryTicks: number
  /** Environment variables that start with BARDO_ and are unknown: usually a typing error. */
  readonly unknownVariables: readonly string[]
}
