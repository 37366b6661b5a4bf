import type { Deployment } from '@bardo/chain'
import type { AddressBook, Clock } from '@bardo/core'
import type { Store } from '@bardo/store'
import type { Hash, PublicClient } from 'viem'
import type { LivingGolem } from '../runtime/createGolem.ts'

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
}
