import { outageOf } from '../recovery/recovery.ts'
import type { KeySource } from './golemParts.ts'

/** Keys of which those that cannot be read are as good as gone: sealed under another secret, or changed by somebody. */
export function lenientKeys(keys: KeySource): KeySource {
  const { vault } = keys
  return {
    ...keys,
    open: () => keys.open().catch(gone),
    ...(vault && { vault: { ...vault, keyOf: (name) => vault.keyOf(name).catch(gone) } }),
  }
}

function gone(error: unknown): undefined {
  if (outageOf(error) !== 'keyLost') throw error
}
