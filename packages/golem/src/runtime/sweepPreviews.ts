import type { Store } from '@bardo/store'
import type { Hash } from 'viem'
import type { GolemState } from '../heartbeat/golemState.ts'

const prefix = 'preview.'
const page = 100

/** Where it is kept what a permit is for. */
export const previewKey = (permitId: string) => `${prefix}${permitId}`

/** Forgets what permits were for that are over: used up and not under way any more, or not used in time. */
export async function sweepPreviews(
  { grimoire, capabilities }: Pick<Store, 'grimoire' | 'capabilities'>,
  golem: Hash,
  { tick, pending }: Pick<GolemState, 'tick' | 'pending'>,
): Promise<void> {
  for (let after = prefix; ; ) {
    const found = await grimoire.list({ golem, prefix, after, limit: page })
    for (const { key } of found) {
      const permitId = key.slice(prefix.length)
      const permit = await capabilities.find(permitId)
      const isUnderWay = pending?.permitId === permitId
      const isOpen = permit && !permit.consumedBy && tick + 1 < permit.capability.expiresAtTick
      if (!isUnderWay && !isOpen) await grimoire.remove(golem, key)
    }
    const last = found.at(-1)
    if (!last || found.length < page) return
    after = last.key
  }
}
