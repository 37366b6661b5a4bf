import type { Hash } from 'viem'
import type { Context } from '../context/openContext.ts'

/** Schedules a tick for now, so that the Golem sees soon what its owner did. */
export async function scheduleTickNow({ store }: Pick<Context, 'store'>, golem: Hash): Promise<void> {
  const row = await store.golems.find(golem)
  if (row && row.status !== 'dead' && row.status !== 'onboarding') await store.jobs.schedule({ golem, at: 0 })
}
