import type { Hash } from 'viem'
import type { Place } from '../place/openPlace.ts'

/** Lets a Golem's heart beat as soon as there is a worker, so that it sees what its owner did. */
export async function tickNow({ store }: Pick<Place, 'store'>, golem: Hash): Promise<void> {
  const row = await store.golems.find(golem)
  if (row && row.status !== 'dead' && row.status !== 'onboarding') await store.jobs.schedule({ golem, at: 0 })
}
