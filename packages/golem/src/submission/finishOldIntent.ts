import { explainLanded } from '@bardo/chain'
import { BardoError, type JournalRecord } from '@bardo/core'
import { type Address, isAddressEqual } from 'viem'
import type { GolemParts } from '../permission/golemParts.ts'
import type { ActResult } from '../snapshot/tickPorts.ts'
import type { Pending } from '../state/golemState.ts'
import { createFollower } from './createFollower.ts'
import { dropUnsigned } from './dropUnsigned.ts'

/**
 * Returns the outcome of an action that an earlier key began. The signed transaction is sent again unchanged,
 * and nothing new is signed. Undefined if the action is not in the journal or belongs to the current key.
 */
export async function finishOldIntent(
  parts: Pick<GolemParts, 'id' | 'store' | 'client' | 'deployment' | 'clock' | 'settings'>,
  { intentId, valueCents }: Pending,
  key: Address,
): Promise<ActResult | undefined> {
  const { store, client, deployment } = parts
  const known = await store.journal.find(intentId)
  if (!known || isAddressEqual(known.intent.from, key)) return undefined
  if (!known.settlement && (await dropUnsigned(store.journal, known))) throw neverSent(known)
  const { from, to, value, data } = known.intent
  const follower = createFollower(parts, from)
  const landed = await follower.submit({ id: intentId, to, value, data }).catch((error: unknown) => {
    if (error instanceof BardoError && error.code === 'OUTCOME_UNKNOWN') return undefined
    throw error
  })
  if (!landed) return { type: 'onItsWay' }
  if (landed.status === 'success') return { type: 'landed', transaction: landed.hash, spentCents: valueCents }
  return { type: 'refused', error: await explainLanded({ client, deployment }, landed) }
}

function neverSent({ intent }: JournalRecord): BardoError {
  return new BardoError('The key that started this action is wiped.', {
    code: 'INTENT_CLOSED',
    outcome: 'not-sent',
    details: [`intent ${intent.id}`, `key ${intent.from}`],
  })
}
