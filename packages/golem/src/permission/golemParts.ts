import type { StateReader, SubmitterSettings } from '@bardo/chain'
import type { AddressBook, Clock, DayPrices, Deployment, RotationPolicy } from '@bardo/core'
import type { Store } from '@bardo/store'
import type { KeySource, Route } from '@bardo/wallets'
import type { Hash, PublicClient } from 'viem'
import type { HeartbeatSchedule } from '../config/heartbeatSchedule.ts'
import type { DeathStep } from '../state/death.ts'
import type { HeartbeatStep } from '../state/heartbeatStep.ts'
import type { Strategy } from '../strategy/strategy.ts'

/** The settings of a Golem that its owner does not sign. */
export type GolemSettings = {
  readonly schedule: HeartbeatSchedule
  readonly strategy: Strategy
  /** The allotment of a signed window, and the prices of a day of compute and data. */
  readonly economy: { readonly runwayCents: bigint; readonly dayPrices: DayPrices }
  /** The number of ticks for which a capability is valid. */
  readonly expiryTicks: number
  /** The fee of the Uniswap pools it trades in, in hundredths of a basis point. */
  readonly poolFee: number
  readonly submitter?: Partial<SubmitterSettings>
  /** How its calls reach the chain. Default: as transactions of its session key. */
  readonly route?: Route
  /** When to replace the session key. Default: `defaultRotationPolicy`. */
  readonly rotation?: RotationPolicy
}

/** The parts of a running Golem. */
export type GolemParts = {
  /** Its id in the vitals, which is also its id in the store. */
  readonly id: Hash
  readonly store: Store
  readonly client: PublicClient
  readonly deployment: Deployment
  readonly book: AddressBook
  readonly clock: Clock
  readonly keys: KeySource
  readonly settings: GolemSettings
  /** Called when a step of a tick or of a death begins. */
  readonly onStep?: (step: HeartbeatStep | DeathStep) => void
  /** Shared by the Golems of a worker; without one each Golem reads the chain by itself. */
  readonly reader?: StateReader
  /** Receives warnings for the operator. Default: Node's process warnings. */
  readonly warn?: (message: string) => void
}
