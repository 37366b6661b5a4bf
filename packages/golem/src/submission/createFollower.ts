import { createSubmitter, type Submitter } from '@bardo/chain'
import { BardoError } from '@bardo/core'
import type { Address } from 'viem'
import { recordEvents } from '../events/recordEvents.ts'
import type { GolemParts } from '../permission/golemParts.ts'

/**
 * A submitter for what an earlier key of the Golem signed. It sends the signed transactions again unchanged and
 * observes them. It signs nothing.
 */
export function createFollower(
  {
    id,
    store,
    client,
    deployment,
    clock,
    settings,
  }: Pick<GolemParts, 'id' | 'store' | 'client' | 'deployment' | 'clock' | 'settings'>,
  key: Address,
): Submitter {
  return createSubmitter({
    client,
    chainId: deployment.chainId,
    journal: store.journal,
    clock,
    signer: { address: key, signTransaction: refuseToSign },
    ...(settings.submitter && { settings: settings.submitter }),
    isKeyless: true,
    onEvent: (event) => store.transaction(async (transaction) => recordEvents(transaction, id, [event])),
  })
}

async function refuseToSign(): Promise<never> {
  throw new BardoError('A follower signs nothing.', { code: 'INTERNAL' })
}
