import { systemClock } from '@bardo/chain'
import { aggregatorProxy } from '@bardo/contracts'
import { BardoError } from '@bardo/core'
import { type Devnet, startDevnet } from '@bardo/devnet'
import { openStore, type Store } from '@bardo/store'
import { type Address, parseEther, parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeState } from '../death/writeState.ts'
import type { Dream } from '../dreams/dream.ts'
import { createGolem, type LivingGolem } from '../heartbeat/createGolem.ts'
import type { Recovery } from '../observeOnly/observeOnly.ts'
import type { GolemParts } from '../permission/golemParts.ts'
import type { GolemState } from '../state/golemState.ts'
import type { Intention } from '../strategy/strategy.ts'
import { balanceOf, partsOf, summonIn, testHome } from '../testing/golemWorld.ts'

const strategy = 'Swap USDC into WETH, and WETH into USDC.\n\nbudget: $50/day\nlifespan: 30 days'
const buy = (cents: bigint): Intention => ({
  type: 'swap',
  from: 'USDC',
  to: 'WETH',
  cents,
  because: 'a test wants it',
})

const sell = (cents: bigint): Intention => ({ ...buy(cents), type: 'swap', from: 'WETH', to: 'USDC' })

let world: Devnet
let folder: Awaited<ReturnType<typeof testHome>>
let store: Store
beforeAll(async () => {
  ;[world, folder] = await Promise.all([startDevnet({ port: 0 }), testHome()])
  store = await openStore({ home: folder.home, clock: systemClock })
})
afterAll(async () => {
  await store?.close()
  await folder?.[Symbol.asyncDispose]()
  await world?.stop()
})

async function summon() {
  const { id, account, root } = await summonIn(world, store, strategy)
  const parts = partsOf(world, store, id, { strategy: async () => ({ type: 'wait', because: 'a test' }) })
  const golem = await createGolem(parts)
  await golem.tick()
  return { id, account, parts, golem, key: root.delegate }
}

const usdc = (account: Address) => balanceOf(world, world.addresses.usdc, account)
const weth = (account: Address) => balanceOf(world, world.addresses.weth, account)
/** The price of WETH in dollars, with eight decimals. */
async function wethPrice(): Promise<bigint> {
  const { wethFeed: address } = world.addresses
  const question = { address, abi: aggregatorProxy.abi, functionName: 'latestRoundData' } as const
  return (await world.client.readContract(question))[1]
}
const nonceOf = (address: Address) => world.client.getTransactionCount({ address })
const toldBy = async (golem: LivingGolem, name: string) =>
  (await store.events.read({ after: 0, golem: golem.id, limit: 1_000 })).filter(
    (event) => event.name === name,
  )

async function change(golem: LivingGolem, changes: Partial<GolemState>): Promise<void> {
  const { state } = await golem.status()
  expect(await writeState(store, golem.id, { ...state, ...changes, version: state.version + 1 }, [])).toBe(
    true,
  )
}

/** The same Golem in a process that crashes before a step of its journal is written. */
function dying(parts: GolemParts, step: 'addAttempt' | 'addIntent' | 'noteMined' | 'settle'): GolemParts {
  const journal = { ...parts.store.journal, [step]: () => Promise.reject(new Error('simulated crash')) }
  return { ...parts, store: { ...parts.store, journal } }
}

describe('preview and commit', () => {
  it('have one effect, also for repeated and concurrent calls', async () => {
    const { golem, account, id } = await summon()
    const before = await usdc(account)
    const { capabilityId, valueCents, expiresAtTick } = await golem.preview(buy(1_000n))
    expect({ valueCents, expiresAtTick }).toEqual({ valueCents: 1_000n, expiresAtTick: 5 })
    expect(await usdc(account)).toBe(before)

    const results = await Promise.all([1, 2, 3].map(() => golem.commit(capabilityId, `${id}:one`)))
    const [first] = results
    expect(new Set(results.map(({ transaction }) => transaction)).size).toBe(1)
    expect(await golem.commit(capabilityId, `${id}:one`)).toEqual(first)
    expect(before - (await usdc(account))).toBe(parseUnits('10', 6))
    expect(await toldBy(golem, 'action.intended')).toHaveLength(1)
    expect(await toldBy(golem, 'action.landed')).toHaveLength(1)
    expect((await golem.status()).state.pending).toBeUndefined()

    // Another intent cannot use a consumed capability. An unknown capability is refused too.
    await expect(golem.commit(capabilityId, `${id}:two`)).rejects.toMatchObject({
      code: 'CAPABILITY_INVALID',
    })
    await expect(golem.commit('nobody', `${id}:two`)).rejects.toMatchObject({ code: 'CAPABILITY_INVALID' })
    expect(await toldBy(golem, 'action.intended')).toHaveLength(1)
    expect(await toldBy(golem, 'action.refused')).toEqual([])
    expect(before - (await usdc(account))).toBe(parseUnits('10', 6))
  })

  it.each(['addIntent', 'addAttempt', 'noteMined', 'settle'] as const)(
    'are finished by the next process, or the next tick, after a crash before %s',
    async (step) => {
      const { golem, account, id, parts } = await summon()
      const before = await usdc(account)
      const { capabilityId } = await golem.preview(buy(1_000n))
      const crashed = await createGolem(dying(parts, step))
      await expect(crashed.commit(capabilityId, `${id}:one`)).rejects.toMatchObject({
        code: 'OUTCOME_UNKNOWN',
        outcome: 'unknown',
      })
      const { pending } = (await golem.status()).state
      expect(pending).toMatchObject({ capabilityId, intentId: `${id}:one` })
      // While the action is pending, no other action starts.
      await expect(
        golem.commit((await golem.preview(buy(500n))).capabilityId, `${id}:two`),
      ).rejects.toMatchObject({
        code: 'RATE_LIMITED',
      })
      if (step === 'addAttempt') await golem.tick()
      const { transaction } = await golem.commit(capabilityId, `${id}:one`)
      await golem.tick()
      expect(before - (await usdc(account))).toBe(parseUnits('10', 6))
      expect(await toldBy(golem, 'action.landed')).toMatchObject([{ body: { transaction } }])
    },
  )

  it('refuse an action beyond the plan, name what would pass, and send nothing', async () => {
    const { golem, key } = await summon()
    const nonce = await nonceOf(key)
    const refused = async (intention: Intention) => {
      const error = await golem.preview(intention).catch((reason: unknown) => reason)
      if (!(error instanceof BardoError)) throw new Error('the action was not refused')
      return error
    }
    const tooMuch = await refused(buy(5_100n))
    expect(tooMuch).toMatchObject({ code: 'SPEND_LIMIT_EXCEEDED', outcome: 'not-sent' })
    expect(tooMuch.details.join()).toContain('Cage')
    expect(tooMuch.remedy).toContain('$50')
    expect(await refused({ ...buy(1_000n), type: 'swap', from: 'WETH', to: 'USDC' })).toMatchObject({
      outcome: 'not-sent',
    })
    expect(await refused(buy(1n))).toMatchObject({ code: 'ACTION_NOT_ALLOWED' })
    const deposit = { type: 'deposit', asset: 'USDC', cents: 1_000n, because: 'a test' } as const
    expect(await refused(deposit)).toMatchObject({ outcome: 'not-sent' })
    expect(await nonceOf(key)).toBe(nonce)
    expect(await store.grimoire.list({ golem: golem.id, kind: 'preview' })).toEqual([])
  })

  it.each([1n, -1n])('send the previewed action after the price moved by %d basis points', async (bps) => {
    const { golem, account, id } = await summon()
    await world.fund(account, { WETH: parseEther('1') })
    const before = await weth(account)
    const { capabilityId } = await golem.preview(sell(2_500n))
    const price = await wethPrice()
    await world.postPrice('WETH', price + (price * bps) / 10_000n)
    await golem.commit(capabilityId, `${id}:one`)
    await world.postPrice('WETH', price)
    // $25 at the price of the preview.
    const sold = ((before - (await weth(account))) * price) / 10n ** 18n
    expect(sold / 10n ** 6n).toBe(2_499n)
    expect(await toldBy(golem, 'action.landed')).toHaveLength(1)
  })

  it('stay half a percent below a limit, so that a small price move causes no refusal', async () => {
    const { golem, account, id } = await summon()
    await world.fund(account, { WETH: parseEther('1') })
    const { capabilityId, valueCents } = await golem.preview(sell(5_000n))
    expect(valueCents).toBe(4_975n)
    const price = await wethPrice()
    await world.postPrice('WETH', (price * 1_004n) / 1_000n)
    await golem.commit(capabilityId, `${id}:one`)
    await world.postPrice('WETH', price)
    expect(await toldBy(golem, 'action.landed')).toHaveLength(1)
  })

  it('postpone an action that a price move puts over its limit, without a violation', async () => {
    const { golem, account, id, key } = await summon()
    await world.fund(account, { WETH: parseEther('1') })
    const { capabilityId } = await golem.preview(sell(5_000n))
    const nonce = await nonceOf(key)
    const price = await wethPrice()
    await world.postPrice('WETH', (price * 102n) / 100n)
    await expect(golem.commit(capabilityId, `${id}:one`)).rejects.toMatchObject({ outcome: 'not-sent' })
    await world.postPrice('WETH', price)
    expect(await nonceOf(key)).toBe(nonce)
    expect(await toldBy(golem, 'action.refused')).toEqual([])
    expect(await toldBy(golem, 'action.postponed')).toHaveLength(1)
    expect((await golem.status()).state).toMatchObject({ pending: undefined, chainRefusals: [] })
    // The next preview succeeds.
    const again = await golem.preview(sell(5_000n))
    await golem.commit(again.capabilityId, `${id}:two`)
  })

  it('are refused while dreaming, in observe-only mode or dying; a landed outcome is still returned', async () => {
    const { golem, id, account } = await summon()
    const done = await golem.preview(buy(1_000n))
    const { transaction } = await golem.commit(done.capabilityId, `${id}:done`)
    const { capabilityId } = await golem.preview(buy(1_000n))
    const before = await usdc(account)
    const expectNo = async (code: string) => {
      await expect(golem.preview(buy(1_000n))).rejects.toMatchObject({ code })
      await expect(golem.commit(capabilityId, `${id}:late`)).rejects.toMatchObject({ code })
      expect(await golem.commit(done.capabilityId, `${id}:done`)).toMatchObject({ transaction })
    }
    const { dream, recovery } = (await golem.status()).state
    for (const type of ['fallingAsleep', 'asleep', 'waking'] as const) {
      const asleep: Dream = { ...dream, type }
      await change(golem, { dream: asleep })
      await expectNo('GOLEM_DREAMING')
    }
    const observing: Recovery = {
      type: 'observing',
      reason: 'signerOutage',
      since: 0,
      attempts: 1,
      retryAt: 0,
    }
    await change(golem, { dream, recovery: observing })
    await expectNo('STEP_OUT_OF_ORDER')
    await change(golem, { recovery })
    await golem.beginDeath('killSwitch')
    await expectNo('GOLEM_DYING')
    await golem.kill()
    await expectNo('GOLEM_DYING')
    expect(await usdc(account)).toBe(before)
  })

  it('let a permit expire with the ticks', async () => {
    const { golem, id, account } = await summon()
    const before = await usdc(account)
    const { capabilityId, expiresAtTick } = await golem.preview(buy(1_000n))
    await change(golem, { tick: expiresAtTick - 1 })
    await expect(golem.commit(capabilityId, `${id}:one`)).rejects.toMatchObject({
      code: 'CAPABILITY_INVALID',
      details: [expect.stringContaining(`tick ${expiresAtTick}`)],
    })
    expect((await golem.status()).state.pending).toBeUndefined()
    expect(await toldBy(golem, 'action.intended')).toEqual([])
    expect(await usdc(account)).toBe(before)
  })

  it('start nothing for a Golem that died before the action was sent', async () => {
    const { golem, id, account, parts } = await summon()
    const before = await usdc(account)
    const { capabilityId } = await golem.preview(buy(1_000n))
    const crashed = await createGolem(dying(parts, 'addIntent'))
    await expect(crashed.commit(capabilityId, `${id}:one`)).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' })
    await golem.beginDeath('killSwitch')
    await expect(golem.commit(capabilityId, `${id}:one`)).rejects.toMatchObject({ code: 'GOLEM_DYING' })
    expect(await usdc(account)).toBe(before)
  })

  it('never replace an action request by a smaller one', async () => {
    const { golem } = await summon()
    const { plan } = (await golem.status()).permission
    const [whole, later] = plan.sizeCents
    expect(later).toBeLessThan(whole)
    await change(golem, { phase: 'stable' })
    // The chain still shows the phase as thriving, and would allow the action.
    await expect(golem.preview(buy(whole))).rejects.toMatchObject({
      code: 'SPEND_LIMIT_EXCEEDED',
      details: [`requested: ${whole} cents`, `allowed: ${later} cents`],
    })
    expect((await golem.preview(buy(later))).valueCents).toBe(later)
  })
})
