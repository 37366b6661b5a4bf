import { systemClock } from '@bardo/chain'
import { BardoError } from '@bardo/core'
import { type Devnet, startDevnet } from '@bardo/devnet'
import { openStore, type Store } from '@bardo/store'
import { type Address, parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Dream } from '../dreams/dream.ts'
import type { GolemState } from '../heartbeat/golemState.ts'
import type { Recovery } from '../recovery/recovery.ts'
import type { Intention } from '../strategies/strategy.ts'
import { createGolem, type LivingGolem } from './createGolem.ts'
import type { GolemParts } from './golemParts.ts'
import { balanceOf, partsOf, summonIn, testHome } from './testing/golemWorld.ts'
import { writeState } from './writeLife.ts'

const strategy = 'Swap USDC into WETH.\n\nbudget: $50/day\nlifespan: 30 days'
const buy = (cents: bigint): Intention => ({
  is: 'swap',
  from: 'USDC',
  to: 'WETH',
  cents,
  because: 'a test wants it',
})

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
  const parts = partsOf(world, store, id, { strategy: async () => ({ is: 'wait', because: 'a test' }) })
  const golem = await createGolem(parts)
  await golem.tick()
  return { id, account, parts, golem, key: root.delegate }
}

const usdc = (account: Address) => balanceOf(world, world.addresses.usdc, account)
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

/** The same Golem in a process that dies before a step of its journal is written. */
function dying(parts: GolemParts, step: 'addAttempt' | 'addIntent' | 'noteMined' | 'settle'): GolemParts {
  const journal = { ...parts.store.journal, [step]: () => Promise.reject(new Error('the process died')) }
  return { ...parts, store: { ...parts.store, journal } }
}

describe('preview and commit', () => {
  it('do one thing once, also where it is asked for twice and at once', async () => {
    const { golem, account, id } = await summon()
    const before = await usdc(account)
    const { permitId, valueCents, expiresAtTick } = await golem.preview(buy(1_000n))
    expect({ valueCents, expiresAtTick }).toEqual({ valueCents: 1_000n, expiresAtTick: 5 })
    expect(await usdc(account)).toBe(before)

    const results = await Promise.all([1, 2, 3].map(() => golem.commit(permitId, `${id}:one`)))
    const [first] = results
    expect(new Set(results.map(({ transaction }) => transaction)).size).toBe(1)
    expect(await golem.commit(permitId, `${id}:one`)).toEqual(first)
    expect(before - (await usdc(account))).toBe(parseUnits('10', 6))
    expect(await toldBy(golem, 'action.intended')).toHaveLength(1)
    expect(await toldBy(golem, 'action.landed')).toHaveLength(1)
    expect((await golem.status()).state.pending).toBeUndefined()

    // Another intent gets nothing for a permit that is used up, nor for one that there never was.
    await expect(golem.commit(permitId, `${id}:two`)).rejects.toMatchObject({ code: 'CAPABILITY_INVALID' })
    await expect(golem.commit('nobody', `${id}:two`)).rejects.toMatchObject({ code: 'CAPABILITY_INVALID' })
    expect(await toldBy(golem, 'action.intended')).toHaveLength(1)
    expect(await toldBy(golem, 'action.refused')).toEqual([])
    expect(before - (await usdc(account))).toBe(parseUnits('10', 6))
  })

  it.each(['addIntent', 'addAttempt', 'noteMined', 'settle'] as const)(
    'are finished by the next process, or the next tick, after a death before %s',
    async (step) => {
      const { golem, account, id, parts } = await summon()
      const before = await usdc(account)
      const { permitId } = await golem.preview(buy(1_000n))
      const crashed = await createGolem(dying(parts, step))
      await expect(crashed.commit(permitId, `${id}:one`)).rejects.toMatchObject({
        code: 'OUTCOME_UNKNOWN',
        outcome: 'unknown',
      })
      const { pending } = (await golem.status()).state
      expect(pending).toMatchObject({ permitId, intentId: `${id}:one` })
      // While it is open, nothing else is begun.
      await expect(
        golem.commit((await golem.preview(buy(500n))).permitId, `${id}:two`),
      ).rejects.toMatchObject({
        code: 'RATE_LIMITED',
      })
      if (step === 'addAttempt') await golem.tick()
      const { transaction } = await golem.commit(permitId, `${id}:one`)
      await golem.tick()
      expect(before - (await usdc(account))).toBe(parseUnits('10', 6))
      expect(await toldBy(golem, 'action.landed')).toMatchObject([{ body: { transaction } }])
    },
  )

  it('refuse what goes beyond the plan, with what would pass, and send nothing', async () => {
    const { golem, key } = await summon()
    const nonce = await nonceOf(key)
    const refused = async (intention: Intention) => {
      const error = await golem.preview(intention).catch((reason: unknown) => reason)
      if (!(error instanceof BardoError)) throw new Error('it was not refused')
      return error
    }
    const tooMuch = await refused(buy(5_100n))
    expect(tooMuch).toMatchObject({ code: 'REDEMPTION_REFUSED', outcome: 'not-sent' })
    expect(tooMuch.details.join()).toContain('Cage')
    expect(tooMuch.remedy).toContain('$50')
    expect(await refused({ ...buy(1_000n), is: 'swap', from: 'WETH', to: 'USDC' })).toMatchObject({
      outcome: 'not-sent',
    })
    expect(await refused(buy(1n))).toMatchObject({ code: 'ACTION_NOT_ALLOWED' })
    const deposit = { is: 'deposit', asset: 'USDC', cents: 1_000n, because: 'a test' } as const
    expect(await refused(deposit)).toMatchObject({ outcome: 'not-sent' })
    expect(await nonceOf(key)).toBe(nonce)
    expect(await store.grimoire.list({ golem: golem.id, kind: 'preview' })).toEqual([])
  })

  it('are not for one that dreams, looks on or dies; what landed is told all the same', async () => {
    const { golem, id, account } = await summon()
    const done = await golem.preview(buy(1_000n))
    const { transaction } = await golem.commit(done.permitId, `${id}:done`)
    const { permitId } = await golem.preview(buy(1_000n))
    const before = await usdc(account)
    const expectNo = async (code: string) => {
      await expect(golem.preview(buy(1_000n))).rejects.toMatchObject({ code })
      await expect(golem.commit(permitId, `${id}:late`)).rejects.toMatchObject({ code })
      expect(await golem.commit(done.permitId, `${id}:done`)).toMatchObject({ transaction })
    }
    const { dream, recovery } = (await golem.status()).state
    for (const is of ['fallingAsleep', 'asleep', 'waking'] as const) {
      const asleep: Dream = { ...dream, is }
      await change(golem, { dream: asleep })
      await expectNo('GOLEM_DREAMING')
    }
    const observing: Recovery = { is: 'observing', reason: 'signerOutage', since: 0, attempts: 1, retryAt: 0 }
    await change(golem, { dream, recovery: observing })
    await expectNo('STEP_OUT_OF_ORDER')
    await change(golem, { recovery })
    await golem.doom('killSwitch')
    await expectNo('GOLEM_DYING')
    await golem.kill()
    await expectNo('GOLEM_DYING')
    expect(await usdc(account)).toBe(before)
  })

  it('lets a permit lapse with the ticks', async () => {
    const { golem, id, account } = await summon()
    const before = await usdc(account)
    const { permitId, expiresAtTick } = await golem.preview(buy(1_000n))
    await change(golem, { tick: expiresAtTick - 1 })
    await expect(golem.commit(permitId, `${id}:one`)).rejects.toMatchObject({
      code: 'CAPABILITY_INVALID',
      details: [expect.stringContaining(`tick ${expiresAtTick}`)],
    })
    expect((await golem.status()).state.pending).toBeUndefined()
    expect(await toldBy(golem, 'action.intended')).toEqual([])
    expect(await usdc(account)).toBe(before)
  })

  it('begins nothing for one that died over it before it was sent', async () => {
    const { golem, id, account, parts } = await summon()
    const before = await usdc(account)
    const { permitId } = await golem.preview(buy(1_000n))
    const crashed = await createGolem(dying(parts, 'addIntent'))
    await expect(crashed.commit(permitId, `${id}:one`)).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' })
    await golem.doom('killSwitch')
    await expect(golem.commit(permitId, `${id}:one`)).rejects.toMatchObject({ code: 'GOLEM_DYING' })
    expect(await usdc(account)).toBe(before)
  })

  it('never takes a wish for a smaller one', async () => {
    const { golem } = await summon()
    const { plan } = (await golem.status()).charter
    const [whole, later] = plan.sizeCents
    expect(later).toBeLessThan(whole)
    await change(golem, { phase: 'stable' })
    // The chain still shows it thriving, and would let it through.
    await expect(golem.preview(buy(whole))).rejects.toMatchObject({
      code: 'SPEND_LIMIT_EXCEEDED',
      details: [`${whole} cents are wished for`, `${later} cents are allowed`],
    })
    expect((await golem.preview(buy(later))).valueCents).toBe(later)
  })
})
