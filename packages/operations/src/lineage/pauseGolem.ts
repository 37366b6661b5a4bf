import { recordEvents } from '@bardo/golem/events'
import { requireLiving } from '@bardo/golem/requests'
import type { Store } from '@bardo/store'
import type { Hash } from 'viem'
import { scheduleTickNow } from './scheduleTickNow.ts'

/** What a pause or a resumption changed. */
export type Paused = {
  /** False if the Golem was so before. */
  readonly isChanged: boolean
  /** When it was paused, in milliseconds since 1970; undefined while it may act. */
  readonly since: number | undefined
}

/**
 * Pauses a Golem, or resumes it. A paused Golem ticks and publishes, and begins no action. No signature and no
 * transaction: it binds this data folder or database, and not a thief with the session key.
 *
 * @param now - milliseconds since 1970
 * @example
 * const { since } = await pauseGolem(store, golem, true, clock.now())
 */
export async function pauseGolem(
  store: Pick<Store, 'golems' | 'jobs' | 'transaction'>,
  golem: Hash,
  paused: boolean,
  now: number,
): Promise<Paused> {
  await requireLiving(store, golem)
  const changed = await store.transaction(async (transaction) => {
    const before = (await transaction.golems.find(golem))?.pausedAt
    const isChanged = await transaction.golems.setPaused(golem, paused ? now : undefined)
    if (!isChanged) return { isChanged, since: before }
    const seconds = Math.max(0, Math.floor((now - (before ?? now)) / 1_000))
    recordEvents(transaction, golem, [paused ? { name: 'golem.paused' } : { name: 'golem.resumed', seconds }])
    return { isChanged, since: paused ? now : undefined }
  })
  if (changed.isChanged) await scheduleTickNow(store, golem)
  return changed
}
