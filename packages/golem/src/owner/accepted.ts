import type { Json, Transaction } from '@bardo/store'

/** A judged answer: what is stored of it, and what it brings about in the same transaction. */
export type Accepted = {
  readonly state: 'approved' | 'adjusted' | 'refused'
  readonly body: Json
  apply?(transaction: Transaction): Promise<void>
}
