import type { Delegation } from '@bardo/core'
import type { Address, Hash } from 'viem'

/** A Golem of a sequence, with what the owner did to it. */
export type Subject = {
  readonly id: Hash
  readonly name: string
  readonly parent: Hash | undefined
  /** Chain time, Unix seconds. */
  readonly bornAt: number
  /** The owner killed it. */
  isKilled: boolean
  /** The owner revoked it, or ended it if it is a child. */
  isRevoked: boolean
  /** When its root was replaced, which ended the children of that time. */
  rootsReplaced: number
  /** The root of its parent when it was created. */
  readonly parentRoots: number
  /** Keys that the owner suspected. */
  readonly suspected: Set<Address>
  /** The runway that its key can draw on, in chain time. */
  runway: { readonly endsAt: number; readonly drawnAt: number | undefined } | undefined
}

/** What a sequence has done itself. */
export type Ledger = {
  readonly owner: Address
  readonly keyFile: string
  /** The account that all Golems of the sequence work for; set by the first summon. */
  account: Address | undefined
  /** The first block of the sequence. */
  readonly since: bigint
  /** The tip that the node suggested when the sequence began. */
  readonly tip: bigint
  readonly subjects: Subject[]
  /** Every root that was ever read, by its hash. */
  readonly roots: Map<Hash, { readonly root: Delegation; readonly golem: Hash }>
  /** How often each operation was carried out, refused, or had no Golem to work on. */
  readonly counts: Map<string, number>
}

/** Counts an outcome. */
export function count({ counts }: Pick<Ledger, 'counts'>, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1)
}
