import { createLocalKeyWallet } from '@bardo/wallets'
import type { Charter } from './charter.ts'
import type { GolemParts } from './golemParts.ts'
import { warningOf } from './warningOf.ts'

/** Says at the start that a key lies on this machine, and refuses one that the whole world knows. */
export async function warnOfLocalKey(parts: GolemParts, { golem }: Charter): Promise<void> {
  const key = golem.custody === 'localKey' ? await parts.keys.open() : undefined
  if (!key) return
  createLocalKeyWallet({
    key,
    chains: [parts.deployment.chainId],
    // Its health is what every tick looks at.
    standing: async () => ({ is: 'active' }),
    warn: warningOf(parts),
  })
}
