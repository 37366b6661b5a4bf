import { standingRoots } from '@bardo/golem'
import { zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ClockWorld, openClockWorld } from '../testing/openClockWorld.ts'

const strategy = 'Every minute, swap $1 of USDC into WETH.\nbudget: $500/day\nlifespan: 30 days\n'
let here: ClockWorld
beforeAll(async () => {
  here = await openClockWorld()
})
afterAll(() => here?.[Symbol.asyncDispose]())

it('revokes everything that a suspected key may use if the Golem is dying', async () => {
  const { office, context } = here
  const { store, chain } = context
  const { golem } = await office.ask('summon', { name: 'alpha', strategy })
  const living = await context.open(golem)
  await living.tick()
  await living.beginDeath('killSwitch')
  await expect(office.ask('rotate', { golem, isSuspected: true })).rejects.toMatchObject({
    code: 'GOLEM_DYING',
    details: [expect.stringContaining('revoked')],
  })
  expect(await standingRoots({ ...chain, store }, golem, zeroAddress)).toEqual([])
  for (let ticks = 0; ticks < 6; ticks += 1) await living.tick()
  expect((await store.golems.find(golem))?.status).toBe('dead')
})
