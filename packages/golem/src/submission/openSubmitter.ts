import type { Redeemer, Submitter } from '@bardo/chain'
import { BardoError } from '@bardo/core'
import { createWalletSubmitter } from '@bardo/wallets'
import type { Address } from 'viem'
import { recordEvents } from '../events/recordEvents.ts'
import type { GolemParts } from '../permission/golemParts.ts'
import { createFollower } from './createFollower.ts'

/** A wallet's address with its submitter: every transaction goes through the journal. */
export type GolemSubmitter = Redeemer & {
  readonly submitter: Submitter
  /** False once a rotation has retired the key. */
  readonly isInUse: () => Promise<boolean>
  /** Sends what an earlier key signed again unchanged, and signs nothing. */
  readonly followerOf: (key: Address) => Submitter
}

/**
 * Opens the submitter when it is first needed, and again after a rotation. Throws without a key: the Golem is
 * then in observe-only mode.
 */
export function createSubmitterOpener(parts: GolemParts): () => Promise<GolemSubmitter> {
  const { id, store, client, deployment, clock, keys, settings } = parts
  let redeemer: GolemSubmitter | undefined
  return async () => {
    const wallet = await keys.open()
    if (!wallet) throw noKey()
    const { address } = wallet
    if (redeemer?.address === address) return redeemer
    const isInUse = async () => (await keys.open())?.address === address
    const submitter = createWalletSubmitter(wallet, {
      client,
      chainId: deployment.chainId,
      journal: store.journal,
      clock,
      ...(settings.submitter && { settings: settings.submitter }),
      isInUse,
      onEvent: (event) => store.transaction(async (transaction) => recordEvents(transaction, id, [event])),
    })
    // An earlier process may have crashed during a submission: finish that submission first.
    await submitter.recover()
    const followerOf = (earlier: Address) => createFollower(parts, earlier)
    redeemer = { client, deployment, address, submitter, isInUse, followerOf }
    return redeemer
  }
}

function noKey(): BardoError {
  return new BardoError('The Golem has no active session key.', {
    code: 'SESSION_KEY_ZEROED',
    remedy: 'Ask the owner to sign a grant for a new key.',
  })
}
