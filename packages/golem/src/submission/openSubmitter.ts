import { createSubmitter, type Redeemer, type Submitter, sessionKeyAccount } from '@bardo/chain'
import { BardoError } from '@bardo/core'
import type { Address } from 'viem'
import { recordEvents } from '../events/recordEvents.ts'
import type { GolemParts } from '../permission/golemParts.ts'
import { createFollower } from './createFollower.ts'

/** A session key with its submitter: every transaction goes through the journal. */
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
    const key = await keys.open()
    if (!key) throw noKey()
    const signer = sessionKeyAccount(key)
    if (redeemer?.address === signer.address) return redeemer
    const isInUse = async () => {
      const current = await keys.open()
      return current !== undefined && sessionKeyAccount(current).address === signer.address
    }
    const submitter = createSubmitter({
      client,
      chainId: deployment.chainId,
      journal: store.journal,
      clock,
      signer,
      ...(settings.submitter && { settings: settings.submitter }),
      isInUse,
      onEvent: (event) => store.transaction(async (transaction) => recordEvents(transaction, id, [event])),
    })
    // An earlier process may have crashed during a submission: finish that submission first.
    await submitter.recover()
    const followerOf = (earlier: Address) => createFollower(parts, earlier)
    redeemer = { client, deployment, address: signer.address, submitter, isInUse, followerOf }
    return redeemer
  }
}

function noKey(): BardoError {
  return new BardoError('The Golem has no active session key.', {
    code: 'SESSION_KEY_ZEROED',
    remedy: 'Ask the owner to sign a grant for a new key.',
  })
}
