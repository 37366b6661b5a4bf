import { revoke } from '@bardo/chain'
import { aggregatorProxy } from '@bardo/contracts'
import { cage, type Delegation, phaseNumber } from '@bardo/core'
import type { Devnet } from '@bardo/devnet'
import type { Store } from '@bardo/store'
import { type Hash, parseEther, parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { policyFrom, policyKey } from '../action/walletPolicy.ts'
import { answerRequest } from '../requests/answerRequest.ts'
import { readSnapshot } from '../snapshot/readSnapshot.ts'
import { balanceOf, partsOf, summonIn } from '../testing/golemWorld.ts'
import { openTestWorld, type TestWorld } from '../testing/openStoreLocation.ts'
import { createGolem, type LivingGolem } from './createGolem.ts'

const dca = 'Every day, swap $50 of USDC into WETH.\n\nlifespan: 30 days'
const day = 86_400

let world: Devnet
let context: TestWorld
let store: Store
beforeAll(async () => {
  context = await openTestWorld()
  ;({ world, store } = context)
})
afterAll(() => context?.stop())

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
  if (result.type !== 'ticked') throw new Error(result.type)
  return result
}

describe('the full lifecycle of a DCA Golem', () => {
  it('trades, is refused, publishes, dies by the kill switch, and leaves nothing behind', async () => {
    const { golem, parts, account, id, milliseconds, owner, root } = await summon()
    expect(milliseconds).toHaveLength(8)
    const before = await usdc(account)

    // It buys once, at the signed cadence.
    expect(await golem.tick()).toMatchObject({ type: 'ticked', state: { tick: 1, pending: undefined } })
    expect(before - (await usdc(account))).toBe(parseUnits('50', 6))
    expect(await weth(account)).toBeGreaterThan(0n)
    expect(await namesOf(golem)).toContain('action.landed')
    await golem.tick()
    expect((await namesOf(golem)).at(-2)).toBe('action.waited')

    // The pool price is far from the price feed: the Golem waits for a better price and sends nothing.
    await world.warp(day)
    const [, answer] = await feed()
    await world.postPrice('WETH', answer / 2n)
    await ticked(golem)
    expect(before - (await usdc(account))).toBe(parseUnits('50', 6))
    expect(await namesOf(golem)).toContain('action.postponed')
    expect(await store.grimoire.list({ golem: id, kind: 'warning' })).toEqual([])
    await world.postPrice('WETH', answer)

    // Its wallet policy refuses the amount. The refusal leaves a warning and changes its mood.
    const { permission } = await golem.status()
    const body = { ...policyFrom('defi-trading', permission.terms), maxValueCents: 1_000n }
    await store.grimoire.put({ golem: id, key: policyKey, kind: 'policy', body })
    const { state: refused } = await ticked(golem)
    expect(before - (await usdc(account))).toBe(parseUnits('50', 6))
    const warnings = await store.grimoire.list({ golem: id, kind: 'warning' })
    expect(warnings).toMatchObject([{ source: 'policy_violation', body: { code: 'SPEND_LIMIT_EXCEEDED' } }])
    expect(refused.mood.arousal).toBeGreaterThan(20)

    // It trades again, and publishes its mood on the chain.
    await store.grimoire.remove(id, policyKey)
    await golem.tick()
    const { vitals, day: spending } = await readSnapshot(parts, (await golem.status()).permission)
    expect(vitals).toMatchObject({ state: 'alive', phase: phaseNumber('thriving') })
    expect(vitals.mood.arousal).toBeGreaterThan(20)
    expect(before - (await usdc(account))).toBe(parseUnits('100', 6))
    expect(spending.spent).toBe(10_000n)

    // The owner ends the Golem.
    const money = [await usdc(account), await weth(account)]
    const gasOf = (address: `0x${string}`) => world.client.getBalance({ address })
    const [ownersGas, golemsGas] = [await gasOf(owner.address), await gasOf(root.delegate)]
    const death = await golem.kill()
    expect(death).toMatchObject({ type: 'dying', phase: 'over', death: { impossible: [] } })
    expect([await usdc(account), await weth(account)]).toEqual(money)
    expect((await readSnapshot(parts, (await golem.status()).permission)).vitals.state).toBe('dead')
    expect(await parts.keys.open()).toBeUndefined()
    // The owner gets the remaining gas back. The rest costs less than one or two transfers.
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
    const revoked = (await store.events.read({ golem: id, after: 0, limit: 1_000 })).filter(
      ({ name }) => name === 'PERMISSION_REVOKED',
    )
    expect(revoked).toMatchObject([{ body: { reason: 'owner_kill_switch' } }])
    expect(await store.audit.verify()).toMatchObject({ type: 'intact' })

    // Another tick changes nothing.
    const events = await namesOf(golem)
    expect(await golem.tick()).toMatchObject({ type: 'dying', phase: 'over' })
    expect(await namesOf(golem)).toEqual(events)
  })
})

it('dies after the owner’s revocation, and completes the steps that need no delegation', async () => {
  const { golem, root, signer, account } = await summon()
  await golem.tick()
  const money = await usdc(account)
  await revoke(signer, { delegation: root, cause: 'owner' })
  await world.warp(day)
  const death = { trigger: 'ownerRevocation', impossible: [] }
  expect(await golem.tick()).toMatchObject({ type: 'dying', phase: 'over', death })
  expect(await usdc(account)).toBe(money)
})

it('records in its death a trade that landed while its worker crashed', async () => {
  const { id, golem, parts } = await summon()
  let writes = 0
  const crashing: Store = {
    ...store,
    ticks: {
      save: async (tickResult) => {
        writes += 1
        if (writes > 1) throw new Error('simulated crash')
        return store.ticks.save(tickResult)
      },
    },
  }
  const crashed = await createGolem({ ...parts, store: crashing })
  await expect(crashed.tick()).rejects.toThrow('simulated crash')
  expect(await namesOf(golem)).not.toContain('action.landed')

  await golem.kill()
  const landings = (await namesOf(golem)).filter((name) => name === 'action.landed')
  expect(landings).toHaveLength(1)
  const seen = await readSnapshot(partsOf(world, store, id), (await golem.status()).permission)
  expect(seen.day.spent).toBe(5_000n)
})

it('dies when its funds are used up', async () => {
  const { id } = await summon()
  const economy = { runwayCents: 0n, dayPrices: { compute: 1n, data: 0n } }
  const golem = await createGolem(partsOf(world, store, id, { economy }))
  expect(await golem.tick()).toMatchObject({ phase: 'over', death: { trigger: 'economicExhaustion' } })
})

it('enters observe-only mode without its key, and can die without it', async () => {
  const { golem, parts, account, root, signer, owner } = await summon()
  const money = await usdc(account)
  await parts.keys.wipe()
  const { state } = await ticked(golem)
  expect(state.recovery).toMatchObject({ type: 'observing', reason: 'keyLost' })
  expect(await usdc(account)).toBe(money)
  const { impossible } =
    (await golem.kill().then((end) => (end.type === 'dying' ? end.death : undefined))) ?? {}
  expect(impossible?.map(({ step }) => step)).toEqual([
    'postDeclining',
    'settle',
    'postTerminal',
    'settleLate',
    'surrender',
  ])
  expect(await namesOf(golem)).not.toContain('PERMISSION_REVOKED')
  expect(await namesOf(golem)).not.toContain('sessionKey.revoked')
  // The authority of its key ends when the owner disables the delegation.
  const requests = await store.ownerRequests.pending(golem.id)
  const request = requests.find(({ kind }) => kind === 'revoke')
  const answer = () => answerRequest(parts, request?.id ?? '', owner.address, { type: 'revoked' })
  await expect(answer()).rejects.toMatchObject({ code: 'STEP_OUT_OF_ORDER' })
  const revoked = await revoke(signer, { delegation: root, cause: 'owner' })
  expect([await answer(), await answer()]).toEqual([true, false])
  const ends = (await store.events.read({ after: 0, golem: golem.id, limit: 1_000 })).filter(
    ({ name }) => name === 'sessionKey.revoked',
  )
  const transaction = revoked.type === 'revoked' ? revoked.landed.hash : undefined
  expect(ends).toMatchObject([{ body: { cause: { kind: 'revoked', transaction } } }])
})

describe('does not start', () => {
  it('with a root that was signed for another Golem', async () => {
    const [{ id, parts }, other] = [await summon(), await summon()]
    const [foreign] = await store.delegations.list(other.id)
    if (!foreign) throw new Error('there is no delegation')
    const delegations = { ...store.delegations, list: async () => [{ ...foreign, golem: id }] }
    const lying = { ...parts, store: { ...store, delegations } }
    await expect(createGolem(lying)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      details: ['its root was signed for another Golem'],
    })
  })

  it('with a constitution other than the signed one', async () => {
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
