import type { Redeemer, Submitter } from '@bardo/chain'
import { BardoError } from '@bardo/core'
import { createWalletSubmitter, type Wallet } from '@bardo/wallets'
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
  let opened: { readonly wallet: Wallet; readonly redeemer: GolemSubmitter } | undefined
  return async () => {
    const wallet = await keys.open()
    if (!wallet) throw noKey()
    const { address } = wallet
    // A session account keeps its address when its key rotates.
    const isSame = (one: Wallet | undefined) => (wallet.account ? one === wallet : one?.address === address)
    if (opened && isSame(opened.wallet)) return opened.redeemer
    const isInUse = async () => isSame(await keys.open())
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
    const redeemer = { client, deployment, address, submitter, isInUse, followerOf }
    opened = { wallet, redeemer }
    return redeemer
  }
}

function noKey(): BardoError {
  return new BardoError('The Golem has no active session key.', {
    code: 'SESSION_KEY_ZEROED',
    remedy: 'Ask the owner to sign a grant for a new key.',
  })
}
