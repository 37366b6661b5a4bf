import { type Address, type Hex, numberToHex, pad, zeroAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { registryOf } from '../caveats/boundKind.ts'
import type { CageTerms } from '../caveats/cage/cageTerms.ts'
import { cage } from '../caveats/cage.ts'
import type { ChainState } from '../caveats/caveatKind.ts'
import { dailySpendLimit } from '../caveats/dailySpendLimit.ts'
import { classBits } from '../caveats/execution/actionClass.ts'
import { methodBits } from '../caveats/execution/methods.ts'
import { maxSlippage } from '../caveats/maxSlippage.ts'
import { spendFromBudget } from '../caveats/measure/rollingBudget.ts'
import { metamaskKinds } from '../caveats/metamask/metamaskKinds.ts'
import { mortalityTimeWindow } from '../caveats/mortalityTimeWindow.ts'
import { replicantBudget } from '../caveats/replicantBudget.ts'
import { mandate as sample, usdc } from '../caveats/testing/sample.ts'
import { anyDelegate, type Delegation } from './delegation.ts'
import { type ExposureInput, exposure } from './exposure.ts'
import { hashDelegation } from './hashDelegation.ts'
import { addressOf, delegate } from './testing/delegations.ts'
import { buildTree } from './tree.ts'

const day = 86_400
const now = 1_800_000_000n
const [owner, key, otherKey] = [addressOf(0), addressOf(1), addressOf(2)]
const kinds = {
  Cage: cage,
  DailySpendLimit: dailySpendLimit,
  MaxSlippage: maxSlippage,
  ReplicantBudget: replicantBudget,
  MortalityTimeWindow: mortalityTimeWindow,
  ...metamaskKinds,
}
const enforcers = Object.fromEntries(Object.keys(kinds).map((name, place) => [name, addressOf(100 + place)]))
const at = (name: keyof typeof kinds): Address => enforcers[name] ?? zeroAddress
const registry = registryOf(
  Object.entries(kinds).map(([name, kind]) => [enforcers[name] ?? zeroAddress, kind]),
)

const mandate = { ...sample, account: owner, payees: [] as readonly Address[] }
const terms: CageTerms = {
  version: 2,
  golem: numberToHex(1, { size: 32 }),
  start: Number(now),
  end: Number(now) + 30 * day,
  classes: classBits.swap | classBits.approve,
  methods: methodBits.exactInputSingle | methodBits.approve,
  pairs: 2n,
  graceSeconds: 0,
  mood: { minPleasure: 0, maxArousal: 0, minDominance: 0 },
  restricted: 0,
  dayCents: 5_000n,
  slippageBps: 100,
  spreadBps: 200,
  cadenceSeconds: 0,
  calls: 0,
  dollarsByPhase: [50, 50, 50, 50, 50],
  settlement: 255,
  mandate,
}
const prices = new Map([
  [usdc, { price: 10n ** 8n, unit: 10n ** 14n }],
  [zeroAddress, { price: 2_000n * 10n ** 8n, unit: 10n ** 26n }],
])

const cageTo = (to: number, change: Partial<CageTerms> = {}, salt = 0n): Delegation =>
  delegate(0, to, [[at('Cage'), cage.encode({ ...terms, ...change })]], undefined, salt)

/** Nothing is used, unless a test gives the answers. */
const state: ChainState = { timestamp: now, blockNumber: 1n, answer: () => ({ ok: true, data: words(0n) }) }

function words(...values: readonly bigint[]): Hex {
  const all = [...values, ...Array<bigint>(8).fill(0n)].slice(0, 8)
  return `0x${all.map((value) => numberToHex(value, { size: 32 }).slice(2)).join('')}`
}

function exposed(delegations: readonly Delegation[], change: Partial<ExposureInput> = {}, chain = state) {
  const facts = { manager: addressOf(99), state: chain, disabled: new Map() }
  const trees = [...Map.groupBy(delegations, ({ delegator }) => delegator).keys()].flatMap((root) =>
    delegations.some((one) => one.delegator === root && one.authority === delegate(0, 1).authority)
      ? [buildTree(delegations.filter((one) => belongs(one, root)))]
      : [],
  )
  return exposure({ permissions: trees.map((tree) => ({ tree, facts })), registry, prices, ...change })

  function belongs(one: Delegation, root: Address): boolean {
    const parent = delegations.find((other) => hashDelegation(other) === one.authority)
    return parent ? belongs(parent, root) : one.delegator === root
  }
}

const bounded = (cents: bigint) => ({ type: 'bounded', cents })
/** The three sums: next day, until the end, the thief's haul. */
const sums = ({ day: inADay, end, haul }: ReturnType<typeof exposure>) =>
  [inADay, end, haul.loss].map((sum) => (sum.type === 'bounded' ? sum.cents : sum.type))

describe('one Cage', () => {
  it('lets the daily limit leave each 28 hours, and a thief lose the slippage', () => {
    const shown = exposed([cageTo(1)])
    // 30 days touch 181 buckets of four hours: 26 groups of seven.
    expect(sums(shown)).toEqual([5_000n, 26n * 5_000n, 50n])
    expect(shown.endsAt).toBe(now + 30n * BigInt(day))
    expect(shown.haul).toMatchObject({ causes: [{ type: 'slippage', bps: 100 }], assumes: [] })
    expect(shown.uncounted).toEqual([])
  })

  it('gives back what was spent before, when it no longer counts', () => {
    const before = spendFromBudget(0n, now - 10n * 3_600n, 3_000n, 5_000n)
    const spent = spendFromBudget(before, now, 500n, 5_000n)
    const chain = { ...state, answer: () => ({ ok: true, data: words(spent) }) }
    expect(sums(exposed([cageTo(1)], {}, chain))).toEqual([4_500n, 25n * 5_000n + 4_500n, 45n])
    // Spent in the same hour: it counts for the whole day.
    const all = spendFromBudget(0n, now, 5_000n, 5_000n)
    const empty = { ...state, answer: () => ({ ok: true, data: words(all) }) }
    expect(sums(exposed([cageTo(1)], {}, empty))).toEqual([0n, 25n * 5_000n, 0n])
  })

  it.each<[string, Partial<CageTerms>, bigint[]]>([
    ['a number of executions', { calls: 3, dollarsByPhase: [10, 5, 0, 0, 0] }, [3_000n, 3_000n, 30n]],
    ['a cadence', { cadenceSeconds: 7 * day, dollarsByPhase: [10, 5, 0, 0, 0] }, [1_000n, 5_000n, 10n]],
    ['a total for the whole life', { totals: [{ periodSeconds: 0, cents: 8_000n }] }, [5_000n, 8_000n, 50n]],
    ['a total for a week', { totals: [{ periodSeconds: 7 * day, cents: 6_000n }] }, [5_000n, 24_000n, 50n]],
    ['an end within the day', { end: Number(now) + 60 }, [5_000n, 5_000n, 50n]],
    ['terms of version 1', { version: 1 }, [5_000n, 130_000n, 50n]],
    ['no class at all', { classes: 0 }, [0n, 0n, 0n]],
    ['no pair to swap', { pairs: 0n }, [5_000n, 130_000n, 0n]],
  ])('counts %s', (_, change, expected) => {
    expect(sums(exposed([cageTo(1, change)]))).toEqual(expected)
  })

  it('counts gas as lost whole, within the daily limit', () => {
    const native = { token: zeroAddress, feed: addressOf(50), maxAgeSeconds: 60, scale: 26 }
    const gas = (microEtherPerDay: bigint) => ({
      classes: terms.classes | classBits.gas,
      methods: terms.methods | methodBits.native,
      mandate: { ...mandate, assets: [...mandate.assets, native] },
      gas: { microEtherPerDay },
    })
    // 0.01 ETH is $20; of the other $30, one percent.
    const shown = exposed([cageTo(1, gas(10_000n))])
    expect(sums(shown)).toEqual([5_000n, 130_000n, 2_030n])
    expect(shown.haul.causes).toEqual([{ type: 'slippage', bps: 100 }, { type: 'gas' }])
    expect(sums(exposed([cageTo(1, gas(1_000_000n))]))).toEqual([5_000n, 130_000n, 5_000n])
    // Without a price, the daily limit is the only one that holds.
    expect(sums(exposed([cageTo(1, gas(10_000n))], { prices: new Map() }))).toEqual([
      5_000n,
      130_000n,
      5_000n,
    ])
    // Two roots of one Golem draw from one gas budget.
    const twice = [cageTo(1, gas(10_000n)), cageTo(1, gas(10_000n), 1n)]
    expect(sums(exposed(twice))).toEqual([5_000n, 130_000n, 2_030n])
  })

  it('counts liquidity by the signed distance of the pool’s price', () => {
    const targets = [
      { kind: 4, address: addressOf(60), selector: '0x00000000' },
      { kind: 5, address: addressOf(61), selector: '0x00000000' },
    ] as const
    const shown = exposed([cageTo(1, { classes: classBits.addLiquidity, mandate: { ...mandate, targets } })])
    expect(sums(shown)).toEqual([5_000n, 130_000n, 100n])
    expect(shown.haul.causes).toEqual([{ type: 'poolPrice', bps: 200 }])
  })

  it('states what it assumes about payees and signed methods, and the sum without it', () => {
    const paying = {
      classes: terms.classes | classBits.payment,
      mandate: { ...mandate, payees: [addressOf(70)] },
    }
    const shown = exposed([cageTo(1, paying)])
    expect(shown.haul).toMatchObject({ loss: bounded(50n), worst: bounded(5_000n), assumes: ['payee'] })
    expect(exposed([cageTo(1, paying)], { own: [addressOf(70)] }).haul).toMatchObject({
      worst: bounded(50n),
      assumes: [],
    })
    const toKey = { ...paying, mandate: { ...mandate, payees: [key] } }
    expect(exposed([cageTo(1, toKey)]).haul).toMatchObject({ loss: bounded(5_000n), assumes: [] })
    const spawn = [{ kind: 7, address: addressOf(71), selector: '0x12345678' }] as const
    expect(
      exposed([cageTo(1, { classes: classBits.spawn, mandate: { ...mandate, targets: spawn } })]),
    ).toMatchObject({
      haul: { loss: bounded(0n), assumes: ['method'] },
      uncounted: [{ type: 'method', target: addressOf(71), selector: '0x12345678' }],
    })
  })

  describe('with a vault', () => {
    const [vault] = mandate.targets.flatMap(({ kind, address }) => (kind === 6 ? [address] : []))
    if (!vault) throw new TypeError('The sample mandate has no vault.')
    // 100 shares of 18 decimals, worth $2 each.
    const holding = (shares = 100n * 10n ** 18n, rate = 2_000_000n): ChainState => ({
      ...state,
      answer({ to, data }) {
        if (to.toLowerCase() !== vault.toLowerCase()) return { ok: true, data: words(0n) }
        if (data.startsWith('0x70a08231')) return { ok: true, data: words(shares) }
        return { ok: true, data: words(data.startsWith('0x07a2d13a') ? rate : BigInt(usdc)) }
      },
    })
    const leave = { classes: classBits.withdraw, floors: [{ vault, floor: 1_980_000n }] }
    const both = { ...leave, classes: classBits.deposit | classBits.withdraw }

    it('loses the shares down to their floor, and the daily limit below it', () => {
      const shown = exposed([cageTo(1, leave)], {}, holding())
      // $2 of $200, and the last digit of the rate for 100 shares: rounded up.
      expect(sums(shown)).toEqual([5_000n, 130_000n, 5_000n + 201n])
      expect(shown.haul).toMatchObject({
        worst: bounded(5_201n),
        causes: [{ type: 'vaultRate' }, { type: 'shares', cents: 201n }],
        assumes: [],
      })
      expect(shown.uncounted).toEqual([])
      expect(sums(exposed([cageTo(1, both)], {}, holding()))).toEqual([5_000n, 130_000n, 5_201n])
    })

    it('loses the shares also when the daily limit is used up, and not when the executions are', () => {
      const spent = words(spendFromBudget(0n, now, 5_000n, 5_000n), 3n)
      const held = holding()
      const chain = (row: Hex): ChainState => ({
        ...held,
        answer: (read) => (read.to === at('Cage') ? { ok: true, data: row } : held.answer(read)),
      })
      expect(exposed([cageTo(1, leave)], {}, chain(spent)).haul.loss).toEqual(bounded(201n))
      expect(exposed([cageTo(1, { ...leave, calls: 3 })], {}, chain(spent)).haul.loss).toEqual(bounded(0n))
    })

    it('loses all shares without a floor: leaving counts towards no limit', () => {
      expect(exposed([cageTo(1, { classes: classBits.withdraw })], {}, holding()).haul.loss).toEqual(
        bounded(5_000n + 20_001n),
      )
    })

    it('loses nothing of a vault without shares, and the whole deposit', () => {
      expect(exposed([cageTo(1, leave)], {}, holding(0n)).haul.loss).toEqual(bounded(0n))
      expect(exposed([cageTo(1, both)], {}, holding(0n)).haul.loss).toEqual(bounded(5_000n))
      expect(exposed([cageTo(1, { classes: classBits.deposit })], {}, holding()).haul.loss).toEqual(
        bounded(5_000n),
      )
    })

    it('loses the same shares once under two permissions, down to the lower floor', () => {
      const lower = { ...leave, golem: numberToHex(2, { size: 32 }), floors: [{ vault, floor: 1_900_000n }] }
      const shown = exposed([cageTo(1, leave), cageTo(2, lower, 1n)], {}, holding())
      expect(shown.haul.loss).toEqual(bounded(10_000n + 1_001n))
    })

    it('bounds a shortfall only by limits that count it', () => {
      const window = mortalityTimeWindow.encode({ start: Number(now), end: Number(now) + day })
      const limit = dailySpendLimit.encode({ lineage: terms.golem, limitCents: 1_000n, mandate })
      const root = cageTo(1, leave)
      const child = delegate(
        1,
        2,
        [
          [at('DailySpendLimit'), limit],
          [at('MortalityTimeWindow'), window],
        ],
        hashDelegation(root),
      )
      const shown = exposed([root, child], { keys: [otherKey] }, holding())
      expect(sums(shown)).toEqual([1_000n, 1_000n, 5_000n + 201n])
    })

    it('names shares that were not read, and a price that is missing', () => {
      const unread = exposed([cageTo(1, leave)], {}, { ...state, answer: () => undefined })
      expect(unread.haul.loss).toEqual(bounded(5_000n))
      expect(unread.uncounted).toContainEqual({ type: 'shares', vault, hasFloor: true })
      const unpriced = exposed([cageTo(1, leave)], { prices: new Map() }, holding())
      expect(unpriced.uncounted).toMatchObject([{ type: 'price', amount: 2_000_100n }])
    })
  })

  it('names a limit whose use was not read, and counts it as unused', () => {
    const shown = exposed([cageTo(1)], {}, { ...state, answer: () => undefined })
    expect(sums(shown)).toEqual([5_000n, 130_000n, 50n])
    expect(shown.uncounted).toMatchObject([{ type: 'usage', caveat: 'Cage' }])
  })
})

describe('one budget', () => {
  it('is shared by all roots of a Golem: the widest counts', () => {
    const wide = cageTo(1, { dayCents: 8_000n, end: Number(now) + 2 * day }, 1n)
    const shown = exposed([cageTo(1), wide])
    // To the end: what each allows by itself is less than the wider limit for the whole time.
    expect(sums(shown)).toEqual([8_000n, 130_000n + 2n * 8_000n, 80n])
    const long = cageTo(1, { dayCents: 8_000n, end: Number(now) + 29 * day }, 1n)
    expect(sums(exposed([cageTo(1), long]))).toEqual([8_000n, 26n * 8_000n, 80n])
  })

  it('is not shared by two Golems', () => {
    const other = cageTo(2, { golem: numberToHex(2, { size: 32 }) })
    expect(sums(exposed([cageTo(1), other]))).toEqual([10_000n, 260_000n, 100n])
    expect(sums(exposed([cageTo(1), other], { keys: [otherKey] }))).toEqual([5_000n, 130_000n, 50n])
    expect(sums(exposed([cageTo(1), other], { keys: [addressOf(3)] }))).toEqual([0n, 0n, 0n])
  })

  it('contains what Replicants and later keys spend', () => {
    const root = cageTo(1)
    const child = (to: number, allowedCents: bigint) =>
      delegate(
        1,
        to,
        [
          [
            at('ReplicantBudget'),
            replicantBudget.encode({
              lineage: numberToHex(to, { size: 32 }),
              allowedCents,
              born: Number(now),
              lifespanSeconds: day,
              mandate,
            }),
          ],
        ],
        hashDelegation(root),
      )
    const family = [root, child(2, 2_000n), child(3, 2_500n), child(4, 3_000n)]
    expect(sums(exposed(family))).toEqual([5_000n, 130_000n, 50n])
    // Only the children’s keys: each has its own limit, and all have their parent’s.
    const of = (...keys: number[]) => sums(exposed(family, { keys: keys.map(addressOf) }))
    expect(of(2)).toEqual([2_000n, 2_000n, 20n])
    expect(of(2, 3)).toEqual([4_500n, 4_500n, 45n])
    expect(of(2, 3, 4)).toEqual([5_000n, 5_000n, 50n])
    const later = delegate(1, 5, [], hashDelegation(root))
    expect(sums(exposed([root, later]))).toEqual([5_000n, 130_000n, 50n])
  })
})

describe('caveats without a Cage', () => {
  const noVault = mandate.targets.filter(({ kind }) => kind !== 6)
  const swaps = { ...mandate, targets: noVault }
  const limit = dailySpendLimit.encode({ lineage: terms.golem, limitCents: 4_000n, mandate: swaps })
  const window = mortalityTimeWindow.encode({ start: Number(now), end: Number(now) + day })

  it('lose the whole swap without a limit on slippage', () => {
    const root = delegate(0, 1, [
      [at('DailySpendLimit'), limit],
      [at('MortalityTimeWindow'), window],
    ])
    const shown = exposed([root])
    expect(sums(shown)).toEqual([4_000n, 4_000n, 4_000n])
    expect(shown.haul.causes).toEqual([{ type: 'noSlippageLimit' }])
    const slippage = maxSlippage.encode({ slippageBps: 50, spreadBps: 50, mandate: swaps })
    const bound = {
      ...root,
      caveats: [...root.caveats, { enforcer: at('MaxSlippage'), terms: slippage, args: '0x' as const }],
    }
    expect(sums(exposed([bound]))).toEqual([4_000n, 4_000n, 20n])
  })

  it('are unbounded without a limit on the amount, and without an end', () => {
    const slippage = maxSlippage.encode({ slippageBps: 50, spreadBps: 50, mandate: swaps })
    const cases: readonly (readonly [Delegation, string, string])[] = [
      [delegate(0, 1), 'unbounded', 'it has no caveats'],
      [delegate(0, 1, [[at('MaxSlippage'), slippage]]), 'unbounded', 'no caveat limits the amount'],
      [delegate(0, 1, [[at('DailySpendLimit'), limit]]), 'bounded', 'its limits renew, and it has no expiry'],
    ]
    for (const [root, inADay, because] of cases) {
      const shown = exposed([root])
      expect(shown.day.type).toBe(inADay)
      expect(shown.end).toEqual({ type: 'unbounded', because: [`${hashDelegation(root)}: ${because}`] })
      expect(shown.endsAt).toBeUndefined()
    }
  })
})

describe('a runway', () => {
  const dollars = (amount: bigint) => amount * 10n ** 6n
  const start = now - 3_600n
  const until = (seconds: number) =>
    metamaskKinds.Timestamp.encode({ afterThreshold: 0, beforeThreshold: Number(now) + seconds })
  const grant = (to: number, seconds = 10 * day): Delegation =>
    delegate(8, to, [
      [
        at('ERC20PeriodTransfer'),
        metamaskKinds.ERC20PeriodTransfer.encode({
          token: usdc,
          amount: dollars(10n),
          duration: BigInt(day),
          start,
        }),
      ],
      [at('Timestamp'), until(seconds)],
    ])
  const into = (account: Address) =>
    metamaskKinds.AllowedCalldata.encode({ startIndex: 4, value: pad(account, { size: 32 }) })

  it('can be taken twice within a day, at the edge of a period', () => {
    expect(sums(exposed([grant(1)]))).toEqual([2_000n, 11_000n, 2_000n])
    // It ends before the next period.
    expect(sums(exposed([grant(1, 3_600)]))).toEqual([1_000n, 1_000n, 1_000n])
  })

  it('counts what is drawn today once', () => {
    const row = words(dollars(10n), BigInt(day), start, 1n, dollars(4n))
    const chain = { ...state, answer: () => ({ ok: true, data: row }) }
    expect(sums(exposed([grant(1)], {}, chain))).toEqual([1_600n, 10_600n, 1_600n])
  })

  it('is not lost if it can only reach the owner’s account', () => {
    const granted = grant(0)
    const feed = delegate(0, 1, [[at('AllowedCalldata'), into(owner)]], hashDelegation(granted))
    // The account itself is not a key.
    expect(sums(exposed([granted]))).toEqual([2_000n, 11_000n, 2_000n])
    expect(sums(exposed([granted], { own: [owner] }))).toEqual([0n, 0n, 0n])
    expect(sums(exposed([granted, feed], { own: [owner] }))).toEqual([2_000n, 11_000n, 0n])
    const elsewhere = delegate(0, 1, [[at('AllowedCalldata'), into(addressOf(9))]], hashDelegation(granted))
    expect(sums(exposed([granted, elsewhere], { own: [owner] }))).toEqual([2_000n, 11_000n, 2_000n])
    // Two keys draw from one grant.
    const second = delegate(0, 2, [[at('AllowedCalldata'), into(owner)]], hashDelegation(granted))
    expect(sums(exposed([granted, feed, second], { own: [owner] }))).toEqual([2_000n, 11_000n, 0n])
  })

  it('adds to the Cage', () => {
    expect(sums(exposed([cageTo(1), grant(1)]))).toEqual([7_000n, 141_000n, 2_050n])
  })
})

describe('MetaMask’s other caps', () => {
  const ether = 10n ** 18n
  const period = metamaskKinds.NativeTokenPeriodTransfer.encode({
    amount: ether / 100n,
    duration: BigInt(day),
    start: now - 60n,
  })
  const soon = metamaskKinds.Timestamp.encode({ afterThreshold: 0, beforeThreshold: Number(now) + 60 })

  it('bound native currency only with empty calldata', () => {
    const root = delegate(0, 1, [
      [at('NativeTokenPeriodTransfer'), period],
      [at('Timestamp'), soon],
    ])
    expect(exposed([root]).day).toMatchObject({
      type: 'unbounded',
      because: [expect.stringContaining('leaves the calldata free')],
    })
    const empty = {
      enforcer: at('ExactCalldata'),
      terms: metamaskKinds.ExactCalldata.encode({ calldata: '0x' }),
      args: '0x' as const,
    }
    expect(sums(exposed([{ ...root, caveats: [...root.caveats, empty] }]))).toEqual([2_000n, 2_000n, 2_000n])
  })

  it('bound totals and streams', () => {
    const total = metamaskKinds.ERC20TransferAmount.encode({ token: usdc, amount: 7_000_001n })
    // Rounded up, against the owner.
    expect(sums(exposed([delegate(0, 1, [[at('ERC20TransferAmount'), total]])]))).toEqual([701n, 701n, 701n])
    const stream = metamaskKinds.ERC20Streaming.encode({
      token: usdc,
      initial: 1_000_000n,
      max: 10_000_000n,
      perSecond: 10n,
      start: now,
    })
    expect(sums(exposed([delegate(0, 1, [[at('ERC20Streaming'), stream]])]))).toEqual([187n, 1_000n, 187n])
  })

  it('count each token of several, and name the use that cannot be read', () => {
    const cap = { amount: 3_000_000n, duration: BigInt(day), start: now - 60n }
    const caps = [
      { token: usdc, ...cap },
      { token: zeroAddress, ...cap, amount: ether / 100n },
    ]
    const root = delegate(0, 1, [
      [at('MultiTokenPeriod'), metamaskKinds.MultiTokenPeriod.encode({ caps })],
      [at('Timestamp'), soon],
    ])
    const shown = exposed([root])
    expect(sums(shown)).toEqual([2_300n, 2_300n, 2_300n])
    expect(shown.uncounted).toMatchObject([{ type: 'usage', caveat: 'MultiTokenPeriod' }])
  })

  it('names a token without a price', () => {
    const token = addressOf(80)
    const total = metamaskKinds.ERC20TransferAmount.encode({ token, amount: 5n })
    const shown = exposed([delegate(0, 1, [[at('ERC20TransferAmount'), total]])])
    expect(sums(shown)).toEqual([0n, 0n, 0n])
    expect(shown.uncounted).toEqual([{ type: 'price', token, amount: 5n }])
    // A limit in dollars holds without the price.
    const caged = cageTo(1)
    const cap = { enforcer: at('ERC20TransferAmount'), terms: total, args: '0x' as const }
    const both = exposed([{ ...caged, caveats: [...caged.caveats, cap] }])
    expect(both).toMatchObject({ day: bounded(5_000n), uncounted: [] })
  })

  it('leave nothing to a redeemer that is not named', () => {
    const only = metamaskKinds.Redeemer.encode({ redeemers: [otherKey] })
    const root = { ...delegate(0, 1, [[at('Redeemer'), only]]), delegate: anyDelegate }
    expect(sums(exposed([root], { keys: [key] }))).toEqual([0n, 0n, 0n])
    expect(sums(exposed([root], { keys: [otherKey] }))).toEqual(['unbounded', 'unbounded', 'unbounded'])
  })
})

it('counts nothing that is revoked or over', () => {
  const [root, over] = [cageTo(1), cageTo(2, { end: Number(now) - 1, start: 1 })]
  const tree = buildTree([root, over])
  const disabled = new Map([[hashDelegation(root), { transaction: '0x' as Hex, at: now }]])
  const facts = { manager: addressOf(99), state, disabled }
  expect(sums(exposure({ permissions: [{ tree, facts }], registry, prices }))).toEqual([0n, 0n, 0n])
})
