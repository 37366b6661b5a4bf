import { createSubmitter } from '@bardo/chain'
import { BardoError, type JournalRecord } from '@bardo/core'
import { type Address, isAddressEqual } from 'viem'
import type { Pending } from '../heartbeat/golemState.ts'
import type { ActResult } from '../heartbeat/tickPorts.ts'
import type { GolemParts } from './golemParts.ts'

/**
 * What became of an action that a key before this one had begun. It is only followed: what was signed is sent again as
 * it is, and nothing more is signed. Undefined where it is the present key's own.
 */
export async function finishOldIntent(
  parts: Pick<GolemParts, 'store' | 'client' | 'deployment' | 'clock' | 'settings'>,
  { intentId, valueCents }: Pending,
  key: Address,
): Promise<ActResult | undefined> {
  const { store, client, deployment, clock, settings } = parts
  const known = await store.journal.find(intentId)
  if (!known || isAddressEqual(known.intent.from, key)) return undefined
  if (!known.settlement && known.attempts.length === 0) throw neverSent(known)
  const { from, to, value, data } = known.intent
  const signTransaction = async () => {
    throw neverSent(known)
  }
  const follower = createSubmitter({
    client,
    chainId: deployment.chainId,
    journal: store.journal,
    clock,
    signer: { address: from, signTransaction },
    ...(settings.submitter && { settings: settings.submitter }),
  })
  const landed = await follower.submit({ id: intentId, to, value, data }).catch((error: unknown) => {
    if (error instanceof BardoError && error.code === 'OUTCOME_UNKNOWN') return undefined
    throw error
  })
  if (!landed) return { is: 'onItsWay' }
  if (landed.status === 'success') return { is: 'landed', transaction: landed.hash, spentCents: valueCents }
  const details = [`transaction ${landed.hash}`]
  const reverted = { code: 'TRANSACTION_REVERTED', outcome: 'landed', details } as const
  return { is: 'refused', error: new BardoError('The redemption landed and was refused there.', reverted) }
}

function neverSent({ intent }: JournalRecord): BardoError {
  return new BardoError('The key that began this is gone.', {
    code: 'INTENT_CLOSED',
    outcome: 'not-sent',
    details: [`intent ${intent.id}`, `key ${intent.from}`],
  })
}
