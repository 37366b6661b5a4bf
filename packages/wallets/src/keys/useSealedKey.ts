import { sessionKeyAccount } from '@bardo/chain'
import { openSealedKey, type SealedKey, type SealingSecret } from '@bardo/core'
import type { Wallet } from '../wallet.ts'

/**
 * Opens a sealed key for one piece of work, and wipes it afterwards.
 *
 * @example
 * await useSealedKey(record.sealed, { secret, context: golem }, (key) => key.signTypedData(consent))
 */
export async function useSealedKey<Result>(
  sealed: SealedKey,
  { secret, context }: { readonly secret: SealingSecret; readonly context: string },
  use: (key: Pick<Wallet, 'address' | 'signTypedData'>) => Promise<Result>,
): Promise<Result> {
  const key = await openSealedKey(sealed, secret, { context })
  try {
    const account = sessionKeyAccount(key)
    return await use({
      address: account.address,
      signTypedData: (typedData) => account.signTypedData(typedData),
    })
  } finally {
    key.wipe()
  }
}
