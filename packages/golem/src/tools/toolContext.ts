import type { Deployment, SubmitterSettings } from '@bardo/chain'
import type { AddressBook, Clock } from '@bardo/core'
import type { Store } from '@bardo/store'
import type { Hash, PublicClient } from 'viem'
import type { OwnerSeat } from '../owner/ownerSeat.ts'
import type { LivingGolem } from '../runtime/createGolem.ts'
import type { KeySource } from '../runtime/golemParts.ts'

/** What all tools work with. */
export type ToolContext = {
  readonly store: Store
  readonly client: PublicClient
  readonly deployment: Deployment
  readonly book: AddressBook
  readonly clock: Clock
  /** Whom a tool is about where nobody is named. */
  readonly golem: Hash | undefined
  /** A Golem made ready. */
  open(id: Hash): Promise<LivingGolem>
  /** Where a Golem's keys are; without it none is made and none signs here. */
  keys?(id: Hash): KeySource
  /** An owner who answers unattended: the devnet's. Without one, requests wait. */
  readonly owner?: OwnerSeat
  /** How transactions are sent and waited for. */
  readonly submitter?: Partial<SubmitterSettings>
}
