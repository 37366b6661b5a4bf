import type { Store } from '@bardo/store'
import type { Hash } from 'viem'

/** Schedules a tick for now, so that the Golem sees soon what its owner did. */
export async function scheduleTickNow(store: Pick<Store, 'golems' | 'jobs'>, golem: Hash): Promise<void> {
  const row = await store.golems.find(golem)
  if (row && row.status !== 'dead' && row.status !== 'onboarding') await store.jobs.schedule({ golem, at: 0 })
}
