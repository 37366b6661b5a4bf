import { createLocalKeyWallet } from '@bardo/wallets'
import type { GolemParts } from './golemParts.ts'
import type { SignedPermission } from './signedPermission.ts'
import { warningOf } from './warningOf.ts'

/** Warns at start that a key is stored on this machine, and refuses a publicly known key. */
export async function warnOfLocalKey(parts: GolemParts, { golem }: SignedPermission): Promise<void> {
  const key = golem.custody === 'localKey' ? await parts.keys.open() : undefined
  if (!key) return
  createLocalKeyWallet({
    key,
    chains: [parts.deployment.chainId],
    // Every tick checks its health.
    standing: async () => ({ type: 'active' }),
    warn: warningOf(parts),
  })
}
