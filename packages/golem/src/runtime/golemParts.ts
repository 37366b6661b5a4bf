import type { Deployment, StateReader, SubmitterSettings } from '@bardo/chain'
import type { AddressBook, Clock, DailyCosts, KeyName, RotationPolicy, SessionKey } from '@bardo/core'
import type { Store } from '@bardo/store'
import type { Hash, PublicClient } from 'viem'
import type { DeathStep } from '../death/death.ts'
import type { HeartbeatStep } from '../heartbeat/heartbeatStep.ts'
import type { HeartbeatSchedule } from '../heartbeatFile/heartbeatSchedule.ts'
import type { Strategy } from '../strategies/strategy.ts'

/** Where a Golem's session key comes from. */
export type KeySource = {
  /** Undefined once it was wiped. */
  open(): Promise<SessionKey | undefined>
  /** Removes it for good. */
  wipe(): Promise<void>
  /** Where keys can be made here; without it none is ever rotated. */
  readonly vault?: KeyVault
}

/** Where new keys are made and kept. */
export type KeyVault = {
  /** Makes a key for a rotation and stores it sealed; the second call gives the first one's name. */
  make(rotationId: string): Promise<KeyName>
  /** Undefined once wiped. */
  keyOf(name: KeyName): Promise<SessionKey | undefined>
}

/** How a Golem lives, beside what its owner signed. */
export type GolemSettings = {
  readonly schedule: HeartbeatSchedule
  readonly strategy: Strategy
  /** What it lives on from the start of its window, and what a day of it costs. */
  readonly economy: { readonly runwayCents: bigint; readonly dailyCosts: DailyCosts }
  /** For how many ticks a capability can be used. */
  readonly expiryTicks: number
  /** The fee of the Uniswap pools it trades in, in hundredths of a basis point. */
  readonly poolFee: number
  readonly submitter?: Partial<SubmitterSettings>
  /** When the session key is replaced; the spec's policy unless told. */
  readonly rotation?: RotationPolicy
}

/** All that a living Golem is made of. */
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
  /** Hears which step of a tick, or of a death, begins. */
  readonly onStep?: (step: HeartbeatStep | DeathStep) => void
  /** Shared by the Golems of a worker; without one each reads the chain alone. */
  readonly reader?: StateReader
  /** Hears what an operator has to know at the start; Node's own warnings unless told. */
  readonly warn?: (message: string) => void
}
