import { revoke } from '@bardo/chain'
import { aggregatorProxy } from '@bardo/contracts'
import { cage, type Delegation, phaseNumber } from '@bardo/core'
import type { Devnet } from '@bardo/devnet'
import type { Store } from '@bardo/store'
import { type Hash, parseEther, parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGolem, type LivingGolem } from './createGolem.ts'
import { readWorld } from './readWorld.ts'
import { balanceOf, partsOf, summonIn } from './testing/golemWorld.ts'
import { openPlace, type Place } from './testing/openPlace.ts'

const dca = 'Every day, swap $50 of USDC into WETH.\n\nlifespan: 30 days'
const day = 86_400

let world: Devnet
let place: Place
let store: Store
beforeAll(async () => {
  place = await openPlace()
  ;({ world, store } = place)
})
afterAll(() => place?.stop())

async function summon(strategy = dca) {
  const summoned = await summonIn(world, store, strategy)
  const parts = partsOf(world, store, summoned.id)
  return { ...summoned, parts, golem: await createGolem(parts) }
}

const namesOf = async (golem: LivingGolem) =>
  (await store.events.read({ after: 0, golem: golem.id, limit: 1_000 })).map(({ name }) => name)
const usdc = (account: `0x${string}`) => balanceOf(world, world.addresses.usdc, account)
const weth = (account: `0x${string}`) => balanceOf(world, world.addresses.weth, account)

const feed = () =>
  world.client.readContract({
    address: world.addresses.wethFeed,
    abi: aggregatorProxy.abi,
    functionName: 'latestRoundData',
  })
async function ticked(golem: LivingGolem) {
  const result = await golem.tick()
  if (result.is !== 'ticked') throw new Error(result.is)
  return result
}

describe('one life of a DCA Golem, summoned from a strategy', () => {
  it('trades, is refused, publishes, dies by the kill switch, and leaves nothing', async () => {
    const { golem, parts, account, id, milliseconds, owner, root } = await summon()
    expect(milliseconds).toHaveLength(8)
    const before = await usdc(account)

    // It buys once, by the signed rhythm.
    expect(await golem.tick()).toMatchObject({ is: 'ticked', state: { tick: 1, pending: undefined } })
    expect(before - (await usdc(account))).toBe(parseUnits('50', 6))
    expect(await weth(account)).toBeGreaterThan(0n)
    expect(await namesOf(golem)).toContain('action.landed')
    await golem.tick()
    expect((await namesOf(golem)).at(-2)).toBe('action.waited')

    // The pool is far from the feed: the Cage refuses it, and nothing is sent.
    await world.warp(day)
    const [, answer] = await feed()
    await world.postPrice('WETH', answer / 2n)
    const { state: refused } = await ticked(golem)
    expect(before - (await usdc(account))).toBe(parseUnits('50', 6))
    expect(await namesOf(golem)).toContain('action.refused')
    const warnings = await store.grimoire.list({ golem: id, kind: 'warning' })
    expect(warnings).toMatchObject([{ source: 'policy_violation', body: { code: 'REDEMPTION_REFUSED' } }])
    expect(refused.mood.arousal).toBeGreaterThan(20)

    // The refusal moved its mood, and the chain is told.
    await world.postPrice('WETH', answer)
    await golem.tick()
    const { vitals, day: spending } = await readWorld(parts, (await golem.status()).charter)
    expect(vitals).toMatchObject({ state: 'alive', phase: phaseNumber('thriving') })
    expect(vitals.mood.arousal).toBeGreaterThan(20)
    expect(before - (await usdc(account))).toBe(parseUnits('100', 6))
    expect(spending.spent).toBe(10_000n)

    // Death.
    const money = [await usdc(account), await weth(account)]
    const gasOf = (address: `0x${string}`) => world.client.getBalance({ address })
    const [ownersGas, golemsGas] = [await gasOf(owner.address), await gasOf(root.delegate)]
    const death = await golem.kill()
    expect(death).toMatchObject({ is: 'dying', phase: 'over', death: { impossible: [] } })
    expect([await usdc(account), await weth(account)]).toEqual(money)
    expect((await readWorld(parts, (await golem.status()).charter)).vitals.state).toBe('dead')
    expect(await parts.keys.open()).toBeUndefined()
    // The gas that was left is the owner's again; what stays behind is less than a transfer or two would cost.
    expect(await gasOf(root.delegate)).toBeLessThan(parseEther('0.001'))
    expect((await gasOf(owner.address)) - ownersGas).toBeGreaterThan((golemsGas * 99n) / 100n)
    expect(await store.golems.find(id)).toMatchObject({ status: 'dead', nextTick: undefined })
    expect(await store.ownerRequests.pending(id)).toMatchObject([{ kind: 'revoke' }])
    expect(await store.grimoire.get(id, 'testament')).toMatchObject({
      body: { cause: 'killSwitch', knowledge: [{ kind: 'warning' }] },
    })
    expect(await namesOf(golem)).toEqual(
      expect.arrayContaining([
        'DeathProtocolStarted',
        'GOLEM_TERMINAL',
        'owner.requestFiled',
        'PERMISSION_REVOKED',
        'DeathCompleted',
      ]),
    )
    expect(await store.audit.verify()).toMatchObject({ is: 'intact' })

    // Whoever ticks it again changes nothing.
    const events = await namesOf(golem)
    expect(await golem.tick()).toMatchObject({ is: 'dying', phase: 'over' })
    expect(await namesOf(golem)).toEqual(events)
  })
})

it('dies when the owner has revoked: what needs the delegation is over, the rest is done', async () => {
  const { golem, root, desk, account } = await summon()
  await golem.tick()
  const money = await usdc(account)
  await revoke(desk, { delegation: root, cause: 'owner' })
  await world.warp(day)
  const death = { trigger: 'ownerRevocation', impossible: [] }
  expect(await golem.tick()).toMatchObject({ is: 'dying', phase: 'over', death })
  expect(await usdc(account)).toBe(money)
})

it('tells in its death of a trade that landed while its worker crashed', async () => {
  const { id, golem, parts } = await summon()
  let writes = 0
  const crashing: Store = {
    ...store,
    beats: {
      save: async (beat) => {
        writes += 1
        if (writes > 1) throw new Error('the power is off')
        return store.beats.save(beat)
      },
    },
  }
  const crashed = await createGolem({ ...parts, store: crashing })
  await expect(crashed.tick()).rejects.toThrow('the power is off')
  expect(await namesOf(golem)).not.toContain('action.landed')

  await golem.kill()
  const landings = (await namesOf(golem)).filter((name) => name === 'action.landed')
  expect(landings).toHaveLength(1)
  const seen = await readWorld(partsOf(world, store, id), (await golem.status()).charter)
  expect(seen.day.spent).toBe(5_000n)
})

it('dies when its money is used up', async () => {
  const { id } = await summon()
  const economy = { runwayCents: 0n, dailyCosts: { inference: 1n, gas: 0n, compute: 0n, data: 0n } }
  const golem = await createGolem(partsOf(world, store, id, { economy }))
  expect(await golem.tick()).toMatchObject({ phase: 'over', death: { trigger: 'economicExhaustion' } })
})

it('looks on without its key, and dies without it', async () => {
  const { golem, parts, account } = await summon()
  const money = await usdc(account)
  await parts.keys.wipe()
  const { state } = await ticked(golem)
  expect(state.recovery).toMatchObject({ is: 'observing', reason: 'keyLost' })
  expect(await usdc(account)).toBe(money)
  const { impossible } =
    (await golem.kill().then((end) => (end.is === 'dying' ? end.death : undefined))) ?? {}
  expect(impossible?.map(({ step }) => step)).toEqual([
    'postDeclining',
    'settle',
    'postTerminal',
    'settleLate',
    'surrender',
  ])
  expect(await namesOf(golem)).not.toContain('PERMISSION_REVOKED')
})

describe('is stopped before its first tick', () => {
  it('by another strategy than the signed one', async () => {
    const { id, parts } = await summon()
    const golem = await store.golems.find(id)
    if (!golem?.strategy) throw new Error('it has one')
    const text = dca.replace('$50', '$500')
    await store.golems.save({ ...golem, strategy: { ...golem.strategy, text } })
    await expect(createGolem(parts)).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  })

  it('by another constitution than the signed one', async () => {
    const constitution: Hash = `0x${'ab'.repeat(32)}`
    const constituted = (root: Delegation): Delegation => ({
      ...root,
      caveats: root.caveats.map((caveat) => ({
        ...caveat,
        terms: cage.encode({ ...cage.decode(caveat.terms), constitution }),
      })),
    })
    const { id, account } = await summonIn(world, store, dca, constituted)
    const golem = await createGolem(partsOf(world, store, id))
    const money = await usdc(account)
    await expect(golem.tick()).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
    expect(await usdc(account)).toBe(money)
    expect((await golem.status()).state.tick).toBe(0)
  })
})
