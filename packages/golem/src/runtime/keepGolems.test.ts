import type { Life, Store } from '@bardo/store'
import { type Hash, numberToHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { newGolem } from '../heartbeat/golemState.ts'
import type { GolemTick, LivingGolem } from './createGolem.ts'
import { keepGolems } from './keepGolems.ts'

const id = (number: number): Hash => numberToHex(number, { size: 32 })

/** Golems whose ticks write the next version, and of which each knows how often it was made. */
function fleetOf(most: number) {
  const rows = new Map<Hash, Life>()
  const made: Hash[] = []
  const next = { fails: false, dies: false }
  const find = async (golem: Hash) => rows.get(golem)
  const change = (golem: Hash, changes: Partial<Life>) => {
    const fresh: Life = { state: {}, version: 0, death: undefined, bonds: 'first' }
    rows.set(golem, { ...(rows.get(golem) ?? fresh), ...changes })
  }
  const summon = async (golem: Hash): Promise<LivingGolem> => {
    made.push(golem)
    return {
      id: golem,
      async tick(): Promise<GolemTick> {
        if (next.fails) throw new Error('the node is away')
        if (next.dies) return { is: 'overtaken' }
        const version = (rows.get(golem)?.version ?? 0) + 1
        change(golem, { version })
        return { is: 'ticked', state: { ...newGolem(golem, 0, 1), version } }
      },
      kill: never,
      doom: never,
      end: never,
      look: never,
      rotate: never,
      replicate: never,
      endReplicant: never,
      preview: never,
      commit: never,
      draw: never,
      explain: never,
      status: never,
    }
  }
  const lives: Pick<Store['lives'], 'find'> = { find }
  const kept = keepGolems(
    { lives: { ...lives, begin: never, saveState: never, saveDeath: never } },
    summon,
    most,
  )
  const tick = async (golem: Hash) => (await kept.find(golem)).tick()
  return { kept, tick, change, made, next }
}

async function never(): Promise<never> {
  throw new Error('nobody asks for this')
}

describe('keepGolems', () => {
  it('makes a Golem once for many ticks', async () => {
    const { tick, change, made } = fleetOf(2)
    change(id(1), {})
    for (let ticks = 0; ticks < 3; ticks += 1) await tick(id(1))
    expect(made).toEqual([id(1)])
  })

  it('makes it anew when it is bound otherwise, and goes on when another worker has ticked it', async () => {
    const { tick, change, made } = fleetOf(2)
    change(id(1), {})
    await tick(id(1))
    change(id(1), { bonds: 'second' })
    await tick(id(1))
    expect(made).toHaveLength(2)
    change(id(1), { version: 7 })
    await tick(id(1))
    expect(made).toHaveLength(2)
  })

  it('keeps none that failed or was overtaken, nor one that is to be forgotten', async () => {
    const { kept, tick, change, made, next } = fleetOf(2)
    change(id(1), {})
    await tick(id(1))
    next.fails = true
    await expect(tick(id(1))).rejects.toThrow('the node is away')
    next.fails = false
    await tick(id(1))
    expect(made).toHaveLength(2)
    next.dies = true
    await tick(id(1))
    next.dies = false
    await tick(id(1))
    expect(made).toHaveLength(3)
    kept.forget(id(1))
    await tick(id(1))
    expect(made).toHaveLength(4)
  })

  it('keeps as many as it may, those that were needed last', async () => {
    const { tick, change, made } = fleetOf(2)
    for (const golem of [1, 2, 3].map(id)) change(golem, {})
    for (const golem of [1, 2, 1, 3, 1, 2].map(id)) await tick(golem)
    expect(made).toEqual([1, 2, 3, 2].map(id))
  })
})
