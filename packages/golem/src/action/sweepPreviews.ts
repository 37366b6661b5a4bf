import type { Store } from '@bardo/store'
import type { Hash } from 'viem'
import type { GolemState } from '../state/golemState.ts'

const prefix = 'preview.'
const page = 100

/** The grimoire key of the preview for a capability. */
export const previewKey = (capabilityId: string) => `${prefix}${capabilityId}`

/** Deletes the previews of capabilities that are over: consumed and no longer pending, or expired. */
export async function sweepPreviews(
  { grimoire, capabilities }: Pick<Store, 'grimoire' | 'capabilities'>,
  golem: Hash,
  { tick, pending }: Pick<GolemState, 'tick' | 'pending'>,
): Promise<void> {
  for (let after = prefix; ; ) {
    const previews = await grimoire.list({ golem, prefix, after, limit: page })
    for (const { key } of previews) {
      const capabilityId = key.slice(prefix.length)
      const entry = await capabilities.find(capabilityId)
      const isUnderWay = pending?.capabilityId === capabilityId
      const isOpen = entry && !entry.consumedBy && tick + 1 < entry.capability.expiresAtTick
      if (!isUnderWay && !isOpen) await grimoire.remove(golem, key)
    }
    const last = previews.at(-1)
    if (!last || previews.length < page) return
    after = last.key
  }
}
