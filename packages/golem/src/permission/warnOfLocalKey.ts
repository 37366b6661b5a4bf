import type { GolemParts } from './golemParts.ts'
import type { SignedPermission } from './signedPermission.ts'
import { warningOf } from './warningOf.ts'

/** Warns at start that a key is stored on this machine. The wallet refuses a publicly known key. */
export async function warnOfLocalKey(parts: GolemParts, { golem }: SignedPermission): Promise<void> {
  const wallet = golem.custody === 'localKey' ? await parts.keys.open() : undefined
  const warning = wallet?.capabilities.warning
  if (warning) warningOf(parts)(warning)
}
