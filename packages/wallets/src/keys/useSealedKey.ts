import { type SessionSigner, sessionSigner } from '@bardo/chain'
import { openSealedKey, type SealedKey, type SealingSecret } from '@bardo/core'

/**
 * Opens a sealed key for one piece of work, and wipes it afterwards.
 *
 * @example
 * await useSealedKey(record.sealed, { secret, context: golem }, ({ accountSigner }) => accountSigner.signTypedData(consent))
 */
export async function useSealedKey<Result>(
  sealed: SealedKey,
  { secret, context }: { readonly secret: SealingSecret; readonly context: string },
  use: (signer: SessionSigner) => Promise<Result>,
): Promise<Result> {
  const key = await openSealedKey(sealed, secret, { context })
  try {
    return await use(sessionSigner(key))
  } finally {
    key.wipe()
  }
}
