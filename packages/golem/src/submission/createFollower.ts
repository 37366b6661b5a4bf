import { createSubmitterOn, type Submitter, transactionBackend, userOperationBackend } from '@bardo/chain'
import { BardoError, type SubmissionEvent, walletSigner } from '@bardo/core'
import { accountAt } from '@bardo/wallets'
import type { Address } from 'viem'
import { recordEvents } from '../events/recordEvents.ts'
import type { GolemParts } from '../permission/golemParts.ts'
import { bundlerOf } from './bundlerOf.ts'

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
  const { chainId } = deployment
  const options = {
    chainId,
    journal: store.journal,
    clock,
    ...(settings.submitter && { settings: settings.submitter }),
    isKeyless: true,
    onEvent: (event: SubmissionEvent) =>
      store.transaction(async (transaction) => recordEvents(transaction, id, [event])),
  }
  if (settings.route?.type !== 'userOperation') {
    const signer = { address: key, signTransaction: refuseToSign }
    return createSubmitterOn(transactionBackend({ client, chainId, signer }), options)
  }
  const account = { ...accountAt(chainId, key, []), signer: keyless }
  const bundler = bundlerOf({ client, deployment }, settings.route)
  return createSubmitterOn(userOperationBackend({ client, account, bundler }), options)
}

/** It sends signed operations again; it cannot sign one. */
const keyless = walletSigner({ signTypedData: refuseToSign })

async function refuseToSign(): Promise<never> {
  throw new BardoError('A follower signs nothing.', { code: 'INTERNAL' })
}
