import type { Devnet } from '@bardo/devnet'
import type { Store } from '@bardo/store'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createGolem } from '../heartbeat/createGolem.ts'
import { partsOf, summonIn } from '../testing/golemWorld.ts'
import { openTestWorld, type TestWorld } from '../testing/openStoreLocation.ts'

const dca = 'Every minute, swap $1 of USDC into WETH.\nbudget: $500/day\nlifespan: 30 days'

let world: Devnet
let context: TestWorld
let store: Store
beforeAll(async () => {
  context = await openTestWorld()
  ;({ world, store } = context)
})
afterAll(() => context?.stop())

it.each(['addIntent', 'claimNonce'] as const)(
  'continues trading when another process rotates its key before %s of an action',
  async (call) => {
    const { id } = await summonIn(world, store, dca)
    const parts = partsOf(world, store, id)
    const other = await createGolem(parts)
    let isFirst = true
    const write =
      <Values extends readonly unknown[]>(method: (...values: Values) => Promise<boolean>) =>
      async (...values: Values): Promise<boolean> => {
        const [first] = values
        const intent = typeof first === 'string' ? first : Object(first).id
        if (isFirst && `${intent}`.endsWith(':act')) {
          isFirst = false
          await other.rotate('age')
        }
        return method(...values)
      }
    const journal = { ...store.journal, [call]: write<readonly never[]>(store.journal[call]) }
    const golem = await createGolem({ ...parts, store: { ...store, journal } })
    await golem.tick()
    expect(isFirst).toBe(false)
    const { state } = await golem.status()
    expect(state).toMatchObject({ pending: undefined, recovery: { type: 'acting' } })
    const { sequence: after } = await store.audit.head()
    for (let ticks = 0; ticks < 2; ticks += 1) {
      await world.warp(61)
      await golem.tick()
    }
    const events = await store.events.read({ after, golem: id, limit: 100 })
    expect(events.map(({ name }) => name)).toContain('action.landed')
    const all = await store.events.read({ after: 0, golem: id, limit: 1_000 })
    expect(all.map(({ name }) => name)).not.toContain('action.refused')
  },
)
