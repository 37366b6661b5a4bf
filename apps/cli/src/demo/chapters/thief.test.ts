import { expect, it } from 'vitest'
import { openStage } from '../openStage.ts'
import { createStory } from '../story.ts'
import { grant } from './grant.ts'
import { thief } from './thief.ts'

it('breaks its promises if the Cage allows everything', async () => {
  await using stage = await openStage(0)
  const { world, deployment, owner, balanceOf } = stage
  const story = createStory()
  const life = await grant(stage, story)

  // With a Cage that allows everything, both thefts succeed, and the demo must not report them as refused.
  await world.client.setCode({ address: deployment.contracts.cageEnforcer, bytecode: '0x00' })
  await thief(stage, story, life)

  const { steps, promises } = story.soFar()
  expect(promises.map(({ kept }) => kept)).toEqual([true, false, false])
  expect(steps.filter(({ verdict }) => verdict === 'refused')).toEqual([])
  expect(await balanceOf(world.addresses.weth, world.accounts.stranger)).toBeGreaterThan(0n)
  expect(await balanceOf(world.addresses.usdc, owner.account.address)).toBe(740_000_000n)
}, 120_000)
