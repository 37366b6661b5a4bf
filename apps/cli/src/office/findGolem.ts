import { findSubject } from '@bardo/golem'
import type { Golem } from '@bardo/store'
import type { Place } from '../place/openPlace.ts'

/** So many are looked through. */
const most = 1_000

/** Whom a call is about. Where a name or nobody is given, the living come before the dead. */
export async function findGolem({ store }: Pick<Place, 'store'>, named: string | undefined): Promise<Golem> {
  const isId = named !== undefined && /^0x[0-9a-f]{64}$/i.test(named)
  if (!isId) {
    const all = await store.golems.list({ limit: most, ...(named !== undefined && { name: named }) })
    const [first, ...others] = all.filter(({ status }) => status !== 'dead')
    if (first && others.length === 0) return first
  }
  return findSubject({ store, golem: undefined }, named)
}
