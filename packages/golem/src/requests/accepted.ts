import type { Json, Transaction } from '@bardo/store'

/** An accepted answer: what to store, and its effect in the same transaction. */
export type Accepted = {
  readonly state: 'approved' | 'adjusted' | 'refused'
  readonly body: Json
  apply?(transaction: Transaction): Promise<void>
}
