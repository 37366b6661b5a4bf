import type { Store } from '@bardo/store'
import type { Hash } from 'viem'
import type { LivingGolem } from './createGolem.ts'

/** The Golems that a worker keeps ready between two ticks. */
export type KeptGolems = {
  /** The Golem as it is bound now. */
  find(id: Hash): Promise<LivingGolem>
  /** The next one is made anew. */
  forget(id: Hash): void
}

type Kept = { readonly golem: LivingGolem; readonly bonds: string }

/**
 * Keeps Golems ready, those that were needed last: its strategy need not be compiled nor its key be opened again at each
 * tick. One that has another strategy, delegation or key now is made anew.
 *
 * @param most - so many are kept
 */
export function keepGolems(
  { lives }: Pick<Store, 'lives'>,
  summon: (id: Hash) => Promise<LivingGolem>,
  most: number,
): KeptGolems {
  // In the order in which they were needed.
  const kept = new Map<Hash, Kept>()

  return {
    async find(id) {
      const life = await lives.find(id)
      const known = kept.get(id)
      kept.delete(id)
      const golem = known && known.bonds === life?.bonds ? known.golem : await summon(id)
      if (!life) return golem
      return { ...golem, tick: () => tickAndKeep(golem, life.bonds) }
    },
    forget: (id) => {
      kept.delete(id)
    },
  }

  /** Only what went well is kept. */
  async function tickAndKeep(golem: LivingGolem, bonds: string) {
    const result = await golem.tick()
    if (result.is !== 'ticked') return result
    kept.set(golem.id, { golem, bonds })
    for (const oldest of kept.keys()) {
      if (kept.size <= most) break
      kept.delete(oldest)
    }
    return result
  }
}
