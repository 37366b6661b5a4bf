import type { Redeemer, Submitter } from '@bardo/chain'
import { BardoError } from '@bardo/core'
import { createWalletSubmitter } from '@bardo/wallets'
import { recordEvents } from '../events/recordEvents.ts'
import type { GolemParts } from '../permission/golemParts.ts'

/** A wallet's address with its submitter: every transaction goes through the journal. */
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
    const wallet = await keys.open()
    if (!wallet) throw noKey()
    const { address } = wallet
    if (redeemer?.address === address) return redeemer
    const submitter = createWalletSubmitter(wallet, {
      client,
      chainId: deployment.chainId,
      journal: store.journal,
      clock,
      ...(settings.submitter && { settings: settings.submitter }),
      isInUse: async () => (await keys.open())?.address === address,
      onEvent: (event) => store.transaction(async (transaction) => recordEvents(transaction, id, [event])),
    })
    // An earlier process may have crashed during a submission: finish that submission first.
    await submitter.recover()
    redeemer = { client, deployment, address, submitter }
    return redeemer
  }
}

function noKey(): BardoError {
  return new BardoError('The Golem has no active session key.', {
    code: 'SESSION_KEY_ZEROED',
    remedy: 'Ask the owner to sign a grant for a new key.',
  })
}
