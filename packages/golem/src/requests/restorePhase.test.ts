import { phaseNumber } from '@bardo/core'
import type { Devnet } from '@bardo/devnet'
import type { Store } from '@bardo/store'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createGolem } from '../heartbeat/createGolem.ts'
import type { GolemSettings } from '../permission/golemParts.ts'
import { readSnapshot } from '../snapshot/readSnapshot.ts'
import { ownerIn, partsOf, summonIn } from '../testing/golemWorld.ts'
import { openTestWorld, type TestWorld } from '../testing/openStoreLocation.ts'
import { restorePhase } from './restorePhase.ts'

const text = 'Every day, swap $50 of USDC into WETH.\n\nlifespan: 30 days'
const poor = { runwayCents: 2_000n, dayPrices: { compute: 1_000n, data: 0n } }

let world: Devnet
let context: TestWorld
let store: Store
beforeAll(async () => {
  context = await openTestWorld()
  ;({ world, store } = context)
})
afterAll(() => context?.stop())

const deadline = async () => (await world.client.getBlock()).timestamp + 3_600n

/** A Golem that moved to Declining for lack of funds. */
async function declining() {
  const summoned = await summonIn(world, store, text)
  const { id } = summoned
  const open = (change: Partial<GolemSettings>) => createGolem(partsOf(world, store, id, change))
  await (await open({ economy: poor })).tick()
  const phase = async () => {
    const golem = await open({})
    return (await readSnapshot(partsOf(world, store, id), (await golem.status()).permission)).vitals.phase
  }
  expect(await phase()).toBe(phaseNumber('declining'))
  return { ...summoned, open, phase }
}

it('moves a Golem with funds back to Thriving, and it trades again', async () => {
  const { id, signer, open, phase } = await declining()
  const rich = await open({})
  expect(await rich.tick()).toMatchObject({ state: { phase: 'declining' } })
  const restored = await restorePhase(signer, store, { golem: id, deadline: await deadline() })
  expect(restored).toMatchObject({ from: 'declining', transaction: expect.stringMatching(/^0x/) })
  expect(await phase()).toBe(phaseNumber('thriving'))
  expect(await rich.tick()).toMatchObject({ state: { phase: 'thriving' } })
  const names = (await store.events.read({ after: 0, golem: id, limit: 1_000 })).map(({ name }) => name)
  expect(names).toContain('action.landed')
})

it('works for a key that was rotated since, and not twice', async () => {
  const { id, signer, open, phase } = await declining()
  const golem = await open({})
  await golem.rotate('age')
  await golem.tick()
  await restorePhase(signer, store, { golem: id, deadline: await deadline() })
  expect(await phase()).toBe(phaseNumber('thriving'))
  expect(await restorePhase(signer, store, { golem: id, deadline: await deadline() })).toEqual({
    from: 'thriving',
    transaction: undefined,
  })
})

it('refuses another owner, and a Golem that is dying', async () => {
  const { id, signer, open, phase } = await declining()
  const other = await ownerIn(world, store, text)
  await expect(
    restorePhase(other.signer, store, { golem: id, deadline: await deadline() }),
  ).rejects.toMatchObject({ code: 'ACTION_NOT_ALLOWED' })
  expect(await phase()).toBe(phaseNumber('declining'))
  await (await open({})).kill()
  await expect(restorePhase(signer, store, { golem: id, deadline: await deadline() })).rejects.toMatchObject({
    code: 'GOLEM_DYING',
  })
})
