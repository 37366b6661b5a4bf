import type { Life } from '@bardo/store'
import { type Hash, numberToHex } from 'viem'
import { describe, expect, it } from 'vitest'
import type { GolemTick, LivingGolem } from '../heartbeat/createGolem.ts'
import { newGolem } from '../state/golemState.ts'
import { keepGolems } from './keepGolems.ts'

const id = (number: number): Hash => numberToHex(number, { size: 32 })

/** Golems whose ticks write the next version, with a record of how often each was created. */
function fleetOf(most: number) {
  const rows = new Map<Hash, Life>()
  const created: Hash[] = []
  const next = { fails: false, dies: false }
  const change = (golem: Hash, changes: Partial<Life>) => {
    const fresh: Life = { state: {}, version: 0, death: undefined, bonds: 'first', pausedAt: undefined }
    rows.set(golem, { ...(rows.get(golem) ?? fresh), ...changes })
  }
  const summon = async (golem: Hash): Promise<LivingGolem> => {
    created.push(golem)
    return {
      id: golem,
      async tick(): Promise<GolemTick> {
        if (next.fails) throw new Error('the node is unreachable')
        if (next.dies) return { type: 'overtaken' }
        const version = (rows.get(golem)?.version ?? 0) + 1
        change(golem, { version })
        return { type: 'ticked', state: { ...newGolem(golem, 0, 1), version } }
      },
      kill: never,
      beginDeath: never,
      end: never,
      look: never,
      rotate: never,
      replicate: never,
      endReplicant: never,
      give: never,
      endGiven: never,
      accept: never,
      coSign: never,
      becomeAgentWallet: never,
      preview: never,
      commit: never,
      draw: never,
      explain: never,
      status: never,
    }
  }
  const findBonds = async (golem: Hash) => rows.get(golem)?.bonds
  const kept = keepGolems(
    { golemStates: { find: never, findBonds, begin: never, saveState: never, saveDeath: never } },
    summon,
    most,
  )
  const tick = async (golem: Hash) => (await kept.find(golem)).tick()
  return { kept, tick, change, created, next }
}

async function never(): Promise<never> {
  throw new Error('unexpected call')
}

describe('keepGolems', () => {
  it('creates a Golem once for many ticks', async () => {
    const { tick, change, created } = fleetOf(2)
    change(id(1), {})
    for (let ticks = 0; ticks < 3; ticks += 1) await tick(id(1))
    expect(created).toEqual([id(1)])
  })

  it('creates it again when its strategy, delegation or key changed, and not when another worker ticked it', async () => {
    const { tick, change, created } = fleetOf(2)
    change(id(1), {})
    await tick(id(1))
    change(id(1), { bonds: 'second' })
    await tick(id(1))
    expect(created).toHaveLength(2)
    change(id(1), { version: 7 })
    await tick(id(1))
    expect(created).toHaveLength(2)
  })

  it('drops a Golem whose tick failed or was overtaken, and one that is forgotten', async () => {
    const { kept, tick, change, created, next } = fleetOf(2)
    change(id(1), {})
    await tick(id(1))
    next.fails = true
    await expect(tick(id(1))).rejects.toThrow('the node is unreachable')
    next.fails = false
    await tick(id(1))
    expect(created).toHaveLength(2)
    next.dies = true
    await tick(id(1))
    next.dies = false
    await tick(id(1))
    expect(created).toHaveLength(3)
    kept.forget(id(1))
    await tick(id(1))
    expect(created).toHaveLength(4)
  })

  it('caches at most the given number, the most recently used ones', async () => {
    const { tick, change, created } = fleetOf(2)
    for (const golem of [1, 2, 3].map(id)) change(golem, {})
    for (const golem of [1, 2, 1, 3, 1, 2].map(id)) await tick(golem)
    expect(created).toEqual([1, 2, 3, 2].map(id))
  })
})
