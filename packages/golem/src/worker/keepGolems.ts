import type { Store } from '@bardo/store'
import type { Hash } from 'viem'
import type { LivingGolem } from '../heartbeat/createGolem.ts'

/** A cache of the Golems of a worker between two ticks. */
export type KeptGolems = {
  /** The Golem with its current strategy, delegation and key. */
  find(id: Hash): Promise<LivingGolem>
  /** Removes a Golem from the cache. */
  forget(id: Hash): void
}

type CachedGolem = { readonly golem: LivingGolem; readonly bonds: string }

/**
 * Caches the most recently used Golems, so that a tick need not compile the strategy and open the key again.
 * A Golem whose
 * strategy, delegation or key has changed is created again.
 *
 * @param most - the maximum number of cached Golems
 */
export function keepGolems(
  { golemStates }: Pick<Store, 'golemStates'>,
  summon: (id: Hash) => Promise<LivingGolem>,
  most: number,
): KeptGolems {
  // In order of use.
  const cache = new Map<Hash, CachedGolem>()

  return {
    async find(id) {
      const bonds = await golemStates.findBonds(id)
      const cached = cache.get(id)
      cache.delete(id)
      const golem = cached && cached.bonds === bonds ? cached.golem : await summon(id)
      if (bonds === undefined) return golem
      return { ...golem, tick: () => tickAndKeep(golem, bonds) }
    },
    forget: (id) => {
      cache.delete(id)
    },
  }

  /** Caches a Golem only after a successful tick. */
  async function tickAndKeep(golem: LivingGolem, bonds: string) {
    const result = await golem.tick()
    if (result.type !== 'ticked') return result
    cache.set(golem.id, { golem, bonds })
    for (const oldest of cache.keys()) {
      if (cache.size <= most) break
      cache.delete(oldest)
    }
    return result
  }
}
