import type { Store } from '@bardo/store'
import type { Hash } from 'viem'

/** Makes the next tick of Golems due now, so that a proposal does not wait for their intervals. */
export async function wakeGolems(
  { golems, jobs }: Pick<Store, 'golems' | 'jobs'>,
  ids: readonly Hash[],
): Promise<void> {
  for (const golem of ids) {
    const row = await golems.find(golem)
    if (row && row.status !== 'dead' && row.status !== 'onboarding') await jobs.schedule({ golem, at: 0 })
  }
}
