import { createSubmitter, type Redeemer, type Submitter, sessionKeyAccount } from '@bardo/chain'
import { BardoError } from '@bardo/core'
import { recordEvents } from '../events/recordEvents.ts'
import type { GolemParts } from '../permission/golemParts.ts'

/** A session key with its submitter: every transaction goes through the journal. */
export type GolemSubmitter = Redeemer & { readonly submitter: Submitter }

/**
 * Opens the submitter when it is first needed, and again after a rotation. Throws without a key: the Golem is
 * then in observe-only mode.
 */
export function createSubmitterOpener({
  id,
  store,
  client,
  deployment,
  clock,
  keys,
  settings,
}: GolemParts): () => Promise<GolemSubmitter> {
  let redeemer: GolemSubmitter | undefined
  return async () => {
    const key = await keys.open()
    if (!key) throw noKey()
    const signer = sessionKeyAccount(key)
    if (redeemer?.address === signer.address) return redeemer
    const submitter = createSubmitter({
      client,
      chainId: deployment.chainId,
      journal: store.journal,
      clock,
      signer,
      ...(settings.submitter && { settings: settings.submitter }),
      isInUse: async () => {
        const current = await keys.open()
        return current !== undefined && sessionKeyAccount(current).address === signer.address
      },
      onEvent: (event) => store.transaction(async (transaction) => recordEvents(transaction, id, [event])),
    })
    // An earlier process may have crashed during a submission: finish that submission first.
    await submitter.recover()
    redeemer = { client, deployment, address: signer.address, submitter }
    return redeemer
  }
}

function noKey(): BardoError {
  return new BardoError('The Golem has no active session key.', {
    code: 'SESSION_KEY_ZEROED',
    remedy: 'Ask the owner to sign a grant for a new key.',
  })
}
