import { golemVitals } from '@bardo/contracts'
import { type CageTerms, cage, type Delegation } from '@bardo/core'
import { encodeFunctionData, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildAction } from '../action/buildAction.ts'
import { evaluateAction, simulateAction } from '../action/explainAction.ts'
import { gasToDraw } from '../funding/refuel.ts'
import { createGolem } from '../heartbeat/createGolem.ts'
import { regrant } from '../requests/regrant.ts'
import { ruleStrategy } from '../strategy/ruleStrategy.ts'
import type { Intention } from '../strategy/strategy.ts'
import { createSubmitterOpener } from '../submission/openSubmitter.ts'
import { partsOf, summonIn } from '../testing/golemWorld.ts'
import { openTestWorld, type TestWorld } from '../testing/openStoreLocation.ts'

const both = 'Swap USDC to WETH. Swap WETH to USDC.\n\nbudget: $1,000/day\nlifespan: 30 days'
const buy = (dollars: bigint): Intention => ({
  type: 'swap',
  from: 'USDC',
  to: 'WETH',
  cents: dollars * 100n,
  because: 'a test',
})
const sell = (dollars: bigint): Intention => ({ ...buy(dollars), type: 'swap', from: 'WETH', to: 'USDC' })

describe('the bounds that a strategy line signs', () => {
  let context: TestWorld
  beforeAll(async () => {
    context = await openTestWorld()
  })
  afterAll(() => context?.stop())

  const termsOf = ({ caveats: [caveat] }: Delegation): CageTerms => cage.decode(caveat?.terms ?? '0x')

  async function open(strategy: string) {
    const { world, store } = context
    const summoned = await summonIn(world, store, strategy)
    const parts = partsOf(world, store, summoned.id, { strategy: ruleStrategy })
    const golem = await createGolem(parts)
    const openSubmitter = createSubmitterOpener(parts)
    /** The verdicts of the library and of the node on one action. */
    const verdicts = async (intention: Intention) => {
      const { permission } = await golem.status()
      const { action } = await buildAction(parts, permission, intention)
      const [library, node] = [
        await evaluateAction(parts, permission, action),
        await simulateAction(parts, permission, action),
      ]
      return { library, node }
    }
    const publishMood = async ([pleasure, arousal, dominance]: readonly [number, number, number]) => {
      const data = encodeFunctionData({
        abi: golemVitals.abi,
        functionName: 'publish',
        args: [summoned.id, 0, 10_000, false, pleasure, arousal, dominance],
      })
      const { submitter } = await openSubmitter()
      const id = `mood-${summoned.id}-${pleasure}-${arousal}-${dominance}`
      await submitter.submit({ id, to: parts.deployment.contracts.golemVitals, data })
    }
    return { ...summoned, parts, golem, verdicts, publishMood, openSubmitter }
  }

  it('refuses a purchase outside the signed mood, with the numbers, and never a sale', async () => {
    const { world } = context
    const { account, verdicts, publishMood, root, golem } = await open(
      `${both}\n\nDo not trade when arousal is above 60.`,
    )
    await world.fund(account, { WETH: parseEther('1') })
    expect(termsOf(root)).toMatchObject({ mood: { maxArousal: 60, minPleasure: -90 }, restricted: 1 })
    await publishMood([-90, 60, -90])
    expect(await verdicts(buy(10n))).toEqual({ library: undefined, node: undefined })
    for (const mood of [
      [0, 61, 0],
      [-91, 0, 0],
      [0, 0, -91],
    ] as const) {
      await publishMood(mood)
      const { library, node } = await verdicts(buy(10n))
      for (const refusal of [library, node]) {
        expect(refusal).toMatchObject({ code: 'MOOD_OUT_OF_BOUNDS', retryable: true })
        expect(`${refusal?.message} ${refusal?.details?.join(' ')} ${refusal?.remedy}`).toContain(
          `pleasure ${mood[0]}, arousal ${mood[1]} and dominance ${mood[2]}`,
        )
      }
      expect(await verdicts(sell(10n))).toEqual({ library: undefined, node: undefined })
    }
    // The preview of a tool is postponed, not a violation: it does not move the mood further.
    const before = (await golem.status()).state
    await expect(golem.preview(buy(10n))).rejects.toMatchObject({ code: 'MOOD_OUT_OF_BOUNDS' })
    expect((await golem.status()).state.mood.arousal).toBe(before.mood.arousal)
  })

  it('turns a share of the portfolio into dollars at signing, and holds it to the cent', async () => {
    const { root, verdicts } = await open(
      'Swap USDC to WETH.\n\nAt most 5% of the portfolio per position, 3% in Stable.\nbudget: $1,000/day',
    )
    // $10,000 in the account.
    expect(termsOf(root).dollarsByPhase.slice(0, 2)).toEqual([500, 300])
    expect(await verdicts(buy(500n))).toEqual({ library: undefined, node: undefined })
    const { library, node } = await verdicts({ ...buy(500n), cents: 50_001n })
    // The size is known only after the execution: without it, the library does not guess.
    expect(library).toBeUndefined()
    expect(node).toMatchObject({ code: 'SPEND_LIMIT_EXCEEDED' })
  })

  it('signs the stated floor of a vault', async () => {
    const { root } = await open(
      'Deposit USDC into the vault. Withdraw USDC from the vault.\n\nNever leave the vault below 98 % of its rate.',
    )
    expect(termsOf(root).floors?.map(({ floor }) => floor)).toEqual([980_000_000_000_000_000n])
  })

  it('shortens and extends the window of a feed, with the same limits', async () => {
    const { root, signer, parts } = await open(both)
    const { start, end, ...limits } = termsOf(root)
    expect(end - start).toBe(30 * 86_400)
    for (const days of [3, 90]) {
      const { root: fed } = await regrant(signer, parts, { type: 'feed', lifeSeconds: days * 86_400 })
      const { start: from, end: to, ...same } = termsOf(fed)
      expect([to - from, same]).toEqual([days * 86_400, limits])
    }
    await expect(regrant(signer, parts, { type: 'feed', lifeSeconds: 366 * 86_400 })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    })
  })

  describe('gas', () => {
    const thirsty = `${both}\n\ngas: 0.02 ETH per day`

    /** A Golem whose key is low on gas, and whose account has ETH. */
    async function thirstyGolem(strategy: string, accountWei = parseEther('1')) {
      const opened = await open(strategy)
      const { world } = context
      await world.fund(opened.account, { ETH: accountWei })
      const { permission } = await opened.golem.status()
      const key = permission.links[0].delegate
      const price = await world.client.getGasPrice()
      await setBalance(key, price * 1_500_000n)
      return { ...opened, key }
    }

    async function setBalance(address: `0x${string}`, value: bigint) {
      await context.world.client.request({
        method: 'anvil_setBalance' as never,
        params: [address, `0x${value.toString(16)}`] as never,
      })
    }

    const weiOf = (address: `0x${string}`) => context.world.client.getBalance({ address })

    it('is drawn by a tick when the key runs low, and counts towards the signed cap', async () => {
      const { root, golem, key, account } = await thirstyGolem(thirsty)
      expect(termsOf(root).gas).toEqual({ microEtherPerDay: 20_000n })
      const [keyBefore, accountBefore] = [await weiOf(key), await weiOf(account)]
      await golem.tick()
      const drawn = accountBefore - (await weiOf(account))
      expect(drawn).toBeGreaterThan(0n)
      expect(await weiOf(key)).toBeGreaterThan(keyBefore)
      expect((await golem.look()).gas).toMatchObject({ drawn, limit: parseEther('0.02') })
    })

    it('is refused above the cap and for another address, by the library and the node alike', async () => {
      const { golem, parts, key, account } = await thirstyGolem(thirsty)
      const { permission } = await golem.status()
      const draw = async (target: `0x${string}`, value: bigint) => {
        const action = {
          chainId: parts.deployment.chainId,
          account,
          calls: [{ target, value, data: '0x' as const }],
        }
        const both = [
          await evaluateAction(parts, permission, action),
          await simulateAction(parts, permission, action),
        ]
        return both.map((refusal) => refusal && `${refusal.message} ${refusal.details?.join(' ')}`)
      }
      expect(await draw(key, parseEther('0.02'))).toEqual([undefined, undefined])
      for (const refusal of await draw(key, parseEther('0.02') + 1n))
        expect(refusal).toContain('GasLimitExceeded')
      for (const refusal of await draw(context.world.accounts.stranger, 1n))
        expect(refusal).toContain('PayeeNotAllowed')
    })

    it('survives a key rotation', async () => {
      const { golem, account } = await thirstyGolem(thirsty)
      await context.world.fund((await golem.status()).permission.links[0].delegate, {
        ETH: parseEther('0.1'),
      })
      await golem.rotate('operations')
      await golem.tick()
      const { permission } = await golem.status()
      expect(permission.links).toHaveLength(2)
      const key = permission.links[0].delegate
      await setBalance(key, (await context.world.client.getGasPrice()) * 1_500_000n)
      const before = await weiOf(account)
      await golem.tick()
      expect(await weiOf(account)).toBeLessThan(before)
    })

    it('is drawn beside a constitution if the strategy states it, without a violation', async () => {
      const { root, golem, key, parts } = await thirstyGolem(
        `${both} Never hold more than 40% in WETH.\n\ngas: 0.02 ETH per day`,
      )
      expect(termsOf(root)).toMatchObject({
        gas: { microEtherPerDay: 20_000n },
        constitution: expect.stringMatching(/^0x/),
      })
      const before = await weiOf(key)
      await golem.tick()
      expect(await weiOf(key)).toBeGreaterThan(before)
      expect(await parts.store.grimoire.list({ golem: parts.id, kind: 'warning' })).toEqual([])
    })

    it('is asked of the owner if the account has none', async () => {
      const { golem, key, parts } = await thirstyGolem(
        `Swap $10 of USDC to WETH every hour.\n\ngas: 0.02 ETH per day`,
        0n,
      )
      await setBalance(key, 0n)
      await golem.tick()
      const pending = await parts.store.ownerRequests.pending(parts.id)
      expect(pending.map(({ kind }) => kind)).toContain('fund')
    })

    it('is signed by default as a tenth of the daily limit, and not at all if the strategy says so', async () => {
      const { root } = await open(both)
      const { gas, dayCents, mandate } = termsOf(root)
      expect(dayCents).toBe(100_000n)
      // $100 at $3,000 for one ETH.
      expect(gas?.microEtherPerDay).toBe(33_333n)
      expect(mandate.assets).toHaveLength(3)
      const none = await open(`${both}\n\ngas: none`)
      expect(termsOf(none.root).gas).toBeUndefined()
      expect(termsOf(none.root).mandate.assets).toHaveLength(2)
    })

    it('stops in the terminal phase, with a full key, and without a budget in dollars', () => {
      const seen = {
        keyWei: 0n,
        accountWei: parseEther('1'),
        nativeCents: 400_000n,
        drawn: 0n,
        limit: parseEther('0.05'),
      }
      const need = { seen, phase: 'thriving', leftTodayCents: 100_000n } as const
      const full = gasToDraw(need, 10n ** 9n)
      expect(full).toBeGreaterThan(0n)
      expect(full).toBeLessThanOrEqual(parseEther('0.05'))
      expect(gasToDraw({ ...need, phase: 'terminal' }, 10n ** 9n)).toBe(0n)
      expect(gasToDraw({ ...need, leftTodayCents: 0n }, 10n ** 9n)).toBe(0n)
      expect(gasToDraw({ ...need, seen: { ...seen, keyWei: parseEther('1') } }, 10n ** 9n)).toBe(0n)
      expect(gasToDraw({ ...need, seen: { ...seen, accountWei: 0n } }, 10n ** 9n)).toBe(0n)
      expect(gasToDraw({ ...need, seen: { ...seen, drawn: seen.limit } }, 10n ** 9n)).toBe(0n)
      expect(gasToDraw({ ...need, seen: { ...seen, nativeCents: 0n } }, 10n ** 9n)).toBe(0n)
      expect(gasToDraw({ ...need, leftTodayCents: 1_000n }, 10n ** 9n)).toBeLessThanOrEqual(
        parseEther('0.0025'),
      )
    })
  })

  it('counts a total for the whole life, also after a feed', async () => {
    const { golem, verdicts, root, signer, parts } = await open(
      'Swap USDC to WETH.\n\nAt most $30 in total.\nAt most $20 per trade.\nAt most 500 actions.',
    )
    expect(termsOf(root)).toMatchObject({ totals: [{ periodSeconds: 0, cents: 3_000n }], calls: 500 })
    const { capabilityId } = await golem.preview(buy(20n))
    await golem.commit(capabilityId, 'first')
    await regrant(signer, parts)
    // The day's limit is free again, the total is not. Last in this file: the time passes for all.
    await context.world.warp(2 * 86_400)
    await golem.tick()
    expect(await golem.look()).toMatchObject({
      totals: [{ spent: 2_000n, limit: 3_000n }],
      leftOfTotalsCents: 1_000n,
      calls: { used: 1n, limit: 500n },
    })
    expect(await verdicts(buy(10n))).toEqual({ library: undefined, node: undefined })
    const { node } = await verdicts({ ...buy(10n), cents: 1_001n })
    expect(`${node?.message} ${node?.details?.join(' ')}`).toContain('TotalExceeded')
  })
})
