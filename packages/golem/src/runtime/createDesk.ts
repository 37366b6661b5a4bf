import { createSubmitter, type Redeemer, type Submitter, sessionKeyAccount } from '@bardo/chain'
import { BardoError } from '@bardo/core'
import type { GolemParts } from './golemParts.ts'

/** A session key at work: what it sends goes through the journal. */
export type Desk = Redeemer & { readonly submitter: Submitter }

/** Opens the desk when it is first needed. Without a key there is none, and the Golem looks on. */
export function createDesk({
  store,
  client,
  deployment,
  clock,
  keys,
  settings,
}: GolemParts): () => Promise<Desk> {
  let desk: Desk | undefined
  return async () => {
    const key = await keys.open()
    if (!key) throw noKey()
    const signer = sessionKeyAccount(key)
    if (desk?.address === signer.address) return desk
    const submitter = createSubmitter({
      client,
      chainId: deployment.chainId,
      journal: store.journal,
      clock,
      signer,
      ...(settings.submitter && { settings: settings.submitter }),
    })
    // Whoever had the key before may have died over something: it comes to its end first.
    await submitter.recover()
    desk = { client, deployment, address: signer.address, submitter }
    return desk
  }
}

function noKey(): BardoError {
  return new BardoError('The session key is gone.', {
    code: 'SESSION_KEY_ZEROED',
    remedy: 'Ask the owner for a grant to a new key.',
  })
}
