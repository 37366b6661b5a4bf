import type { SubmitterSettings } from '@bardo/chain'
import type { AddressBook, Clock, Deployment } from '@bardo/core'
import type { Store } from '@bardo/store'
import type { KeySource } from '@bardo/wallets'
import type { Hash, PublicClient } from 'viem'
import type { OwnerResponder } from './ownerResponder.ts'

/** The context for filing and answering owner requests. */
export type RequestContext = {
  readonly store: Store
  readonly client: PublicClient
  readonly deployment: Deployment
  readonly book: AddressBook
  readonly clock: Clock
  /** The keys of a Golem. Without it, this process creates no keys and signs nothing. */
  keys?(id: Hash): KeySource
  /** Answers requests without a person: the devnet's owner. Without one, requests stay pending. */
  readonly owner?: OwnerResponder
  /** How transactions are sent and awaited. */
  readonly submitter?: Partial<SubmitterSettings>
}
