import {
  BardoError,
  checkDelegations,
  decodeContext,
  delegationEnd,
  hashDelegation,
  leastOf,
} from '@bardo/core'
import { activeKey } from '@bardo/wallets'
import { type Hash, type Hex, isAddressEqual } from 'viem'
import { eventToJson } from '../events/eventToJson.ts'
import type { GolemParts } from '../permission/golemParts.ts'
import { isEnded } from '../requests/isEnded.ts'
import { isSigned } from '../requests/requireSigned.ts'
import { cageIn } from './giveDelegation.ts'
import { type GivenType, writeShared } from './storedDelegations.ts'

/** A delegation that another Golem gave, as it arrives. */
export type OfferedDelegation = { readonly context: Hex; readonly from: string }

/**
 * Stores a delegation that another Golem gave: for this Golem's active key, signed by every delegator on this
 * chain, not revoked, not expired, and bounded by a Cage that measures the root's account.
 */
export async function acceptDelegation(
  { id, store, client, deployment }: GolemParts,
  { context, from }: OfferedDelegation,
): Promise<Hash> {
  const links = decodeContext(context)
  checkDelegations(links)
  const [leaf] = links
  const root = links.at(-1)
  if (!leaf || !root) throw refuse('it is empty')
  const key = await activeKey(store, id)
  if (!key || !isAddressEqual(key.address, leaf.delegate))
    throw refuse(`it is for the key ${leaf.delegate}; the Golem’s active key is ${key?.address ?? 'missing'}`)
  const { terms } = cageIn(links, deployment)
  if (!isAddressEqual(terms.mandate.account, root.delegator))
    throw refuse(`its Cage measures ${terms.mandate.account}; the root is of ${root.delegator}`)
  const { timestamp } = await client.getBlock()
  const ends = links.flatMap((link) => delegationEnd(link, deployment) ?? [])
  const endsAt = ends.reduce((least, end) => leastOf(least, end), BigInt(terms.end))
  if (timestamp > endsAt) throw refuse(`it ended at ${endsAt}; the chain’s time is ${timestamp}`)
  const signed = await Promise.all(links.map((link) => isSigned({ client, deployment }, link)))
  const forged = links.find((_, index) => !signed[index])
  if (forged) throw refuse(`${forged.delegator} did not sign it for chain ${deployment.chainId}`)
  if (await isEnded({ client, deployment }, leaf, links)) throw refuse('it is revoked')
  const hash = hashDelegation(leaf)
  const type: GivenType = terms.dayCents > 0n ? 'act' : terms.classes === 0 ? 'readOnly' : 'observer'
  await store.transaction(async (transaction) => {
    const row = { type, peer: from, context, endsAt: Number(endsAt), isEnded: false }
    await writeShared(transaction, id, 'received', row)
    const received = { name: 'delegation.received', delegation: hash, from, endsAt: Number(endsAt) } as const
    transaction.record([{ golem: id, name: received.name, body: eventToJson(received) }])
  })
  return hash
}

function refuse(why: string): BardoError {
  return new BardoError('The Golem cannot use this delegation.', {
    code: 'GRANT_MALFORMED',
    details: [why],
    remedy: 'Ask the giver for a delegation to this Golem’s active key.',
    docsPath: 'golem.md#another-golem',
  })
}
