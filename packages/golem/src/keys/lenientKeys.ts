import type { KeySource } from '@bardo/wallets'
import { outageOf } from '../observeOnly/observeOnly.ts'

/**
 * Treats a key that cannot be read as lost: it is sealed under another secret, or its stored data was
 * changed.
 */
export function lenientKeys(keys: KeySource): KeySource {
  const { vault } = keys
  return {
    ...keys,
    open: () => keys.open().catch(gone),
    ...(vault && { vault: { ...vault, signerOf: (name) => vault.signerOf(name).catch(gone) } }),
  }
}

function gone(error: unknown): undefined {
  if (outageOf(error) !== 'keyLost') throw error
}
