import {
  type Address,
  encodeFunctionData,
  encodePacked,
  erc20Abi,
  type Hex,
  parseAbi,
  zeroAddress,
  zeroHash,
} from 'viem'
import { describe, expect, it } from 'vitest'
import { bardoCaveats } from './bardoCaveats.ts'
import { bardoRegistry } from './bardoRegistry.ts'
import type { BoundKind } from './boundKind.ts'
import type { CageTerms } from './cage/cageTerms.ts'
import { cage } from './cage.ts'
import type { Answer, CaveatKind, HookContext, Read, RulesVersion } from './caveatKind.ts'
import { wordOf } from './execution/digits.ts'
import { celo } from './measure/flows.ts'
import type { Mandate } from './terms/mandate.ts'
import { earlierKinds } from './testing/deployEnforcers.ts'
import { drawTerms, golem } from './testing/drawTerms.ts'
import { players } from './testing/harness.ts'
import { replayRandom } from './testing/replayRandom.ts'
import { chainOf, sceneryOf } from './testing/stubContracts.ts'
import { underRules } from './underRules.ts'
import { balanceRead, feedRead, questions, rowQuestion } from './verdict/questions.ts'

const enforcer: Address = '0x00000000000000000000000000000000000000ee'
const { account, payee, redeemer, router, vault, publisher } = players
const [token = zeroAddress, other = zeroAddress] = players.tokens
const [feed = zeroAddress] = players.feeds
const now = 2_000_000_000n
const words = (...values: readonly bigint[]): Answer => ({
  ok: true,
  data: `0x${values.map(wordOf).join('')}`,
})
/** The number of words of the longest row. */
const zeroRow = words(...Array<bigint>(8).fill(0n))
const atPar = (address: Address) => ({ token: address, feed: zeroAddress, maxAgeSeconds: 0, scale: 14 })

const mandate: Mandate = {
  account,
  assets: [atPar(token), { token: other, feed, maxAgeSeconds: 3_600, scale: 14 }],
  targets: [
    { kind: 1, address: router, selector: '0x00000000' },
    { kind: 6, address: vault, selector: '0x00000000' },
    { kind: 8, address: publisher, selector: '0x12345678' },
  ],
  payees: [payee],
}

const wide: CageTerms = {
  version: 2,
  golem,
  start: 0,
  end: Number(now),
  classes: 8_191,
  methods: 2 ** 19 - 1,
  pairs: 2n ** 64n - 1n,
  graceSeconds: 0,
  mood: { minPleasure: -128, maxArousal: 127, minDominance: -128 },
  restricted: 0,
  dayCents: 10_000n,
  slippageBps: 100,
  spreadBps: 100,
  cadenceSeconds: 0,
  calls: 0,
  dollarsByPhase: [1_000, 1_000, 1_000, 1_000, 1_000],
  settlement: 255,
  mandate,
}

const single = (target: Address, data: Hex, value = 0n) => ({
  mode: zeroHash,
  calldata: encodePacked(['address', 'uint256', 'bytes'], [target, value, data]),
})
const pay = (amount: bigint) =>
  single(token, encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [payee, amount] }))
const swap = (amountIn: bigint) =>
  single(
    router,
    encodeFunctionData({
      abi: parseAbi(['function exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))']),
      args: [[token, other, 500, account, amountIn, 0n, 0n]],
    }),
  )
const leave = single(
  vault,
  encodeFunctionData({
    abi: parseAbi(['function redeem(uint256,address,address)']),
    args: [1n, account, account],
  }),
)

type Balances = Readonly<Record<Address, readonly [before: bigint, after: bigint]>>

/** A world in which every contract answers, the Golem is thriving, and the feed returns one dollar. */
function contextOf(
  execution: HookContext['execution'],
  balances: Balances = {},
  answers: readonly [Read, Answer][] = [],
): HookContext {
  const vitals: Address = '0x00000000000000000000000000000000000000ef'
  const common: [Read, Answer][] = [
    [questions.dependencies(enforcer), words(BigInt(vitals), 0xedn, BigInt(players.manager))],
    [questions.delegationManager(enforcer), words(BigInt(players.manager))],
    [questions.vitals(enforcer), words(BigInt(vitals))],
    [questions.policyCage(enforcer), words(0xedn)],
    [questions.vitalsOf(vitals, wordOf(1)), words((1n << 248n) | (now << 184n))],
    [feedRead(feed), words(1n, 100_000_000n, now, now, 1n)],
    [questions.asset(vault), words(BigInt(token))],
    ...answers,
  ]
  const otherwise = ({ to }: Read) => (to === enforcer ? zeroRow : words(0n))
  const at = (moment: 0 | 1) =>
    sceneryOf(
      Object.entries(balances).map(([held, amounts]) => [
        balanceRead(held as Address, account),
        words(amounts[moment]),
      ]),
    )
  const known = sceneryOf(common)
  return {
    chainId: 1,
    manager: players.manager,
    enforcer,
    execution,
    delegationHash: zeroHash,
    delegator: account,
    redeemer,
    args: '0x',
    before: chainOf(now, otherwise, known, at(0)),
    after: chainOf(now, otherwise, known, at(1)),
  }
}

/** The refusal's name, or the verdict's type. */
function said(kind: CaveatKind<unknown>, terms: Hex, context: HookContext): string {
  const verdict = kind.evaluate(terms, context)
  return verdict.type === 'refuse' ? verdict.refusal.name : verdict.type
}

const cageSaid = (change: Partial<CageTerms>, context: HookContext) =>
  said(cage as CaveatKind<unknown>, cage.encode({ ...wide, ...change }), context)

describe('the caller', () => {
  // Dice without throws draw the first, usual terms of each kind.
  const usual = (name: (typeof earlierKinds)[number], rules: RulesVersion) =>
    drawTerms[name](replayRandom({ seed: 0, throws: 0 }), mandate, {
      constitution: zeroHash,
      keys: [payee],
      rules,
    })

  it.each(earlierKinds)('%s of version 2 refuses another manager before anything else', (name) => {
    const kind = bardoCaveats[name] as CaveatKind<unknown>
    const context = { ...contextOf(pay(1n)), manager: players.stranger }
    expect(said(kind, '0x', context)).toBe('NotDelegationManager')
    expect(said(underRules(kind, 1), usual(name, 1), context)).not.toBe('NotDelegationManager')
    const hasMandate = name !== 'cadence' && name !== 'threshold'
    const asked = hasMandate ? questions.dependencies(enforcer) : questions.delegationManager(enforcer)
    expect(kind.reads(usual(name, 2), context)).toContainEqual(asked)
    expect(underRules(kind, 1).reads(usual(name, 1), context)).not.toContainEqual(asked)
  })

  it.each(['cage', 'dailySpendLimit', 'replicantBudget'] as const)(
    '%s reads its usage by manager in version 1 only',
    (name) => {
      const row = { manager: players.manager, enforcer, delegator: account, delegationHash: zeroHash }
      const asks = (rules: RulesVersion) => {
        const kind = underRules(bardoCaveats[name] as BoundKind<unknown>, rules)
        const terms = kind.decode(usual(name, rules))
        const [read] = kind.usageReads?.(terms, row) ?? []
        const answered = chainOf(now, (asked) => (asked.data === read?.data ? zeroRow : undefined))
        expect(kind.usage?.(terms, row, answered)).not.toEqual([])
        return read?.data.slice(10, 74)
      }
      expect([asks(1), asks(2)]).toEqual([players.manager, account].map((key) => wordOf(BigInt(key))))
    },
  )
})

describe('the registry', () => {
  it('selects the rules by the address of the enforcer', () => {
    const [current, earlier]: Address[] = [`0x${'c'.repeat(40)}`, `0x${'e'.repeat(40)}`]
    if (!current || !earlier) return
    const registry = bardoRegistry({ cageEnforcer: current }, { cageEnforcer: earlier })
    const [version1, version2] = [cage.encode({ ...wide, version: 1, classes: 1 }), cage.encode(wide)]
    const reads = (enforcerAt: Address, terms: Hex) => {
      try {
        return (registry(enforcerAt)?.decode(terms) as CageTerms | undefined)?.version
      } catch {
        return 'refused'
      }
    }
    expect([reads(earlier, version1), reads(earlier, version2)]).toEqual([1, 'refused'])
    expect([reads(current, version1), reads(current, version2)]).toEqual(['refused', 2])
    // A caller that does not know the enforcer reads by the version in the terms.
    expect([cage.decode(version1).version, cage.decode(version2).version]).toEqual([1, 2])
    expect(registry(players.stranger)).toBeUndefined()
  })
})

describe('the inflow of a swap', () => {
  const kind = bardoCaveats.maxSlippage as CaveatKind<unknown>
  const terms = bardoCaveats.maxSlippage.encode({ slippageBps: 100, spreadBps: 100, mandate })
  const amount = 10_000_000n
  // The output is missing, and the account receives the same amount of another asset.
  const twin = { ...mandate, assets: [...mandate.assets, atPar(players.stranger)] }
  const twinTerms = bardoCaveats.maxSlippage.encode({ slippageBps: 100, spreadBps: 100, mandate: twin })
  const balances: Balances = {
    [token]: [amount, 0n],
    [other]: [0n, amount / 2n],
    [players.stranger]: [0n, amount / 2n],
  }

  it('counts in version 2 only for the output', () => {
    expect(said(kind, twinTerms, contextOf(swap(amount), balances))).toBe('SlippageExceeded')
    expect(said(underRules(kind, 1), twinTerms, contextOf(swap(amount), balances))).toBe('pass')
    expect(said(kind, terms, contextOf(swap(amount), { ...balances, [other]: [0n, amount] }))).toBe('pass')
  })
})

describe('amounts', () => {
  it.each<[RulesVersion, bigint, string]>([
    [2, 2n ** 127n - 1n, 'SpendLimitExceeded'],
    [2, 2n ** 127n, 'AmountNotSupported'],
    [1, 2n ** 128n - 1n, 'SpendLimitExceeded'],
    [1, 2n ** 128n, 'AmountNotSupported'],
  ])('version %i takes %i', (rules, amount, expected) => {
    const kind = underRules(bardoCaveats.dailySpendLimit as CaveatKind<unknown>, rules)
    const terms = bardoCaveats.dailySpendLimit.encode({ lineage: golem, limitCents: 1n, mandate })
    expect(said(kind, terms, contextOf(pay(amount)))).toBe(expected)
  })
})

describe('Celo', () => {
  const both = { ...mandate, assets: [atPar(token), atPar(zeroAddress), atPar(celo.token)] }
  const terms = bardoCaveats.dailySpendLimit.encode({ lineage: golem, limitCents: 1_000n, mandate: both })
  const kind = bardoCaveats.dailySpendLimit as CaveatKind<unknown>

  it('has one balance with two addresses, which version 2 refuses', () => {
    const context = contextOf(pay(1n))
    expect(said(kind, terms, { ...context, chainId: 42_220 })).toBe('AssetTwice')
    expect(said(kind, terms, context)).toBe('pass')
    expect(said(underRules(kind, 1), terms, { ...context, chainId: 42_220 })).toBe('pass')
  })
})

describe('a mandate without assets', () => {
  const observer = { ...mandate, assets: [], payees: [] }

  it('is refused by version 1 and accepted by version 2', () => {
    expect(() => cage.encode({ ...wide, version: 1, classes: 1, mandate: observer })).toThrow(
      'terms of Cage are malformed',
    )
    expect(cage.decode(cage.encode({ ...wide, mandate: observer })).mandate.assets).toEqual([])
  })

  it('allows the Golem to publish and nothing else', () => {
    const publish = contextOf(single(publisher, '0x12345678'))
    expect(cageSaid({ mandate: observer }, publish)).toBe('pass')
    expect(cageSaid({ mandate: observer }, contextOf(pay(1n)))).toBe('TargetNotAllowed')
    expect(cageSaid({ mandate: observer }, contextOf(swap(1n)))).toBe('AssetNotTracked')
    expect(
      cageSaid({ mandate: observer, gas: { microEtherPerDay: 1n } }, contextOf(single(redeemer, '0x', 1n))),
    ).toBe('AssetNotTracked')
  })
})

describe('gas', () => {
  const withNative = { ...mandate, assets: [...mandate.assets, { ...atPar(zeroAddress), scale: 26 }] }
  const gas = { microEtherPerDay: 2n }
  const draw = (wei: bigint) => contextOf(single(redeemer, '0x', wei))
  const key = { manager: players.manager, enforcer, delegator: account }
  const rowOfGolem = rowQuestion(key, 'lineageState', golem, wordOf(0), wordOf(0))

  it.each<[string, Partial<CageTerms>, bigint, string]>([
    ['up to its cap', { gas }, 2n * 10n ** 12n, 'pass'],
    ['not above its cap, counted in started millionths', { gas }, 2n * 10n ** 12n + 1n, 'GasLimitExceeded'],
    ['only with a cap', {}, 1n, 'PayeeNotAllowed'],
    ['only with the class', { gas, classes: 4_095 }, 1n, 'ClassNotAllowed'],
    ['within the daily limit', { gas, dayCents: 0n }, 1n, 'SpendLimitExceeded'],
    ['within the totals', { gas, totals: [{ periodSeconds: 0, cents: 1n }] }, 1n, 'pass'],
    ['regardless of the size limit of an execution', { gas, dollarsByPhase: [0, 0, 0, 0, 0] }, 1n, 'pass'],
  ])('is drawn %s', (_, change, wei, expected) => {
    expect(cageSaid({ mandate: withNative, ...change }, draw(wei))).toBe(expected)
  })

  it('is exempt from cadence and from the number of executions', () => {
    const busy: [Read, Answer] = [
      rowOfGolem,
      words((now << 196n) | ((now / 14_400n) << 232n), 3n, 0n, 0n, 0n, 0n, 0n, 0n),
    ]
    const bounds = { mandate: withNative, gas, cadenceSeconds: 60, calls: 3 }
    expect(cageSaid(bounds, contextOf(single(redeemer, '0x', 1n), {}, [busy]))).toBe('pass')
    expect(cageSaid(bounds, contextOf(pay(1n), {}, [busy]))).toBe('TooSoon')
    expect(cageSaid({ ...bounds, cadenceSeconds: 0 }, contextOf(pay(1n), {}, [busy]))).toBe('CallsUsedUp')
  })

  it('is booked before the execution, visible to a later caveat of the same lineage', () => {
    const terms = cage.encode({ ...wide, mandate: withNative, gas, calls: 3 })
    const seen = (context: HookContext, row = rowOfGolem) => {
      const rewritten = cage.leaves?.(terms, context).rewrite?.(row, words(0n, 1n, 0n, 0n, 0n, 0n, 0n, 9n))
      const word = (place: number) => BigInt(`0x${rewritten?.data.slice(2 + 64 * place, 66 + 64 * place)}`)
      return { calls: word(1), gasToday: word(6) & 0xfffffffn, total: word(7) }
    }
    const otherPeriod = rowQuestion(key, 'lineageState', golem, wordOf(7), wordOf(86_400))
    for (const row of [rowOfGolem, otherPeriod]) {
      expect(seen(draw(1n), row)).toEqual({ calls: 1n, gasToday: 1n, total: 9n })
      expect(seen(contextOf(pay(1n)), row)).toEqual({ calls: 2n, gasToday: 0n, total: 9n })
    }
    const otherGolem = rowQuestion(key, 'lineageState', zeroHash, wordOf(0), wordOf(0))
    expect(seen(draw(1n), otherGolem)).toEqual({ calls: 1n, gasToday: 0n, total: 9n })
  })

  it('is an ordinary payment if the redeemer is a payee', () => {
    const paid = { ...withNative, payees: [redeemer] }
    expect(cageSaid({ mandate: paid, gas, dollarsByPhase: [0, 0, 0, 0, 0] }, draw(1n))).toBe('SizeExceeded')
  })
})

describe('withdrawing from a vault', () => {
  const shares = 100_000_000n
  const floors = [{ vault, floor: 10n ** 18n }]
  const left = (returned: bigint) => contextOf(leave, { [vault]: [shares, 0n], [token]: [0n, returned] })

  it.each<[string, Partial<CageTerms>, bigint, string]>([
    ['passes at its floor', { floors, dayCents: 0n }, shares, 'pass'],
    ['counts as spending below its floor', { floors, dayCents: 1_000n }, shares - 10_000_000n, 'pass'],
    [
      'is refused below its floor if the daily limit is smaller',
      { floors, dayCents: 999n },
      shares - 10_000_000n,
      'BelowFloor',
    ],
    [
      'is refused below its floor if a total is smaller',
      { floors, dayCents: 1_000n, totals: [{ periodSeconds: 86_400, cents: 999n }] },
      shares - 10_000_000n,
      'TotalExceeded',
    ],
    [
      'rounds the shortfall up to a base unit',
      { floors: [{ vault, floor: 10n ** 18n + 1n }], dayCents: 0n },
      shares,
      'BelowFloor',
    ],
    ['is not limited by the size of one execution', { floors, dollarsByPhase: [0, 0, 0, 0, 0] }, 1n, 'pass'],
    ['is not limited without a floor', { dayCents: 0n }, 0n, 'pass'],
    [
      'is not limited by the floor of another vault',
      { floors: [{ vault: router, floor: 1n }], dayCents: 0n },
      0n,
      'pass',
    ],
  ])('%s', (_, change, returned, expected) => {
    expect(cageSaid(change, left(returned))).toBe(expected)
  })

  it('is not blocked by a sequencer, a vault or a feed that is down, in version 2', () => {
    const silent: Answer = { ok: false, data: '0x' }
    const down: [Read, Answer][] = [
      [feedRead(players.sequencer), silent],
      [questions.totalAssets(vault), silent],
      [feedRead(feed), silent],
    ]
    const sections = { sequencer: players.sequencer, nav: { vault, bps: 1_000, capCents: 1n } }
    const context = contextOf(leave, {}, down)
    expect(cageSaid(sections, context)).toBe('pass')
    const earlier = underRules(cage as CaveatKind<unknown>, 1)
    const version1 = cage.encode({ ...wide, ...sections, version: 1, classes: 4_095 })
    expect(said(earlier, version1, context)).toBe('FeedUnavailable')
    const kind = bardoCaveats.vaultNAV as CaveatKind<unknown>
    const terms = bardoCaveats.vaultNAV.encode({ ...sections.nav, mandate })
    expect([said(kind, terms, context), said(underRules(kind, 1), terms, context)]).toEqual([
      'pass',
      'NoAnswer',
    ])
  })
})

describe('a constitution', () => {
  const kind = bardoCaveats.policyCage as CaveatKind<unknown>
  const terms = bardoCaveats.policyCage.encode({ constitution: zeroHash, lineage: golem, mandate })
  // Both assets may be the whole portfolio.
  const content = [32n, 224n, 9_000_000n, 9_000_000n, 9_000_000n, 1_000n, 10_000n, 0n, 2n]
  const enacted: [Read, Answer] = [
    questions.constitutionOf('0x00000000000000000000000000000000000000ed', wordOf(0)),
    words(...content, BigInt(token), 10_000n, BigInt(other), 10_000n),
  ]

  it('allows gas within its limits, though native currency cannot be approved', () => {
    // A millionth of the native currency is worth one dollar.
    const withNative = { ...mandate, assets: [...mandate.assets, { ...atPar(zeroAddress), scale: 20 }] }
    const sections = { mandate: withNative, gas: { microEtherPerDay: 2n }, constitution: zeroHash }
    const drawn = (...answers: [Read, Answer][]) =>
      contextOf(single(redeemer, '0x', 10n ** 12n), { [zeroAddress]: [10n ** 12n, 0n] }, answers)
    const holding: [Read, Answer] = [balanceRead(token, account), words(1_000_000n)]
    expect(cageSaid(sections, drawn(enacted, holding))).toBe('pass')
    const payment = { ...sections, mandate: { ...withNative, payees: [redeemer] } }
    expect(cageSaid(payment, drawn(enacted, holding))).toBe('AssetNotApproved')
    const limited = (place: number, limit: bigint): [Read, Answer] => {
      const changed = content.map((word, index) => (index === place ? limit : word))
      return [enacted[0], words(...changed, BigInt(token), 10_000n, BigInt(other), 10_000n)]
    }
    expect(cageSaid(sections, drawn(limited(2, 0n), holding))).toBe('TransactionLimitExceeded')
    expect(cageSaid(sections, drawn(limited(6, 0n), holding))).toBe('DrawdownExceeded')
  })

  it('compares shares in millionths, so that a single asset is never more than the whole', () => {
    const bought = contextOf(swap(1n), { [token]: [1n, 0n], [other]: [0n, 1_000_001n] }, [enacted])
    expect(said(kind, terms, bought)).toBe('pass')
    expect(said(underRules(kind, 1), terms, bought)).toBe('ConcentrationExceeded')
  })

  it('counts assets that did not move if they have a price', () => {
    const strict = [...content]
    strict[6] = 2_000n
    const small: [Read, Answer] = [
      enacted[0],
      words(...strict, BigInt(token), 10_000n, BigInt(other), 10_000n),
    ]
    const tenth = contextOf(
      pay(10_000_000n),
      { [token]: [10_000_000n, 0n], [other]: [90_000_000n, 90_000_000n] },
      [small],
    )
    expect(said(kind, terms, tenth)).toBe('pass')
  })

  it('does not require a price for assets that did not move', () => {
    const stale: [Read, Answer] = [feedRead(feed), words(1n, 100_000_000n, 1n, 1n, 1n)]
    const dust = contextOf(pay(1n), { [token]: [10n, 9n], [other]: [1n, 1n] }, [enacted, stale])
    expect(said(kind, terms, dust)).toBe('pass')
    expect(said(underRules(kind, 1), terms, dust)).toBe('FeedStale')
    const moved = contextOf(pay(1n), { [token]: [10n, 9n], [other]: [1n, 2n] }, [enacted, stale])
    expect(said(kind, terms, moved)).toBe('FeedStale')
  })
})
