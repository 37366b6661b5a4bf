import { type Address, getAddress, type Hex, zeroAddress } from 'viem'
import { classBits, swapClasses } from '../../caveats/execution/actionClass.ts'
import { microsUp, type Quote } from '../../caveats/measure/prices.ts'
import { targetKinds } from '../../caveats/terms/mandate.ts'
import type { Most } from './limitUntil.ts'
import type { Assumption, Flow, LossCause } from './mergeFlows.ts'
import type { Limit, MandateRule, Rules } from './readRules.ts'
import { sharesOfRate } from './vaultShares.ts'

/** A part that the sums leave out, because it needs a price or a read of the chain. */
export type Uncounted =
  /** The use of a limit was not read; it counts as unused. */
  | { readonly type: 'usage'; readonly caveat: string; readonly delegation: Hex }
  /** Tokens without a price: the sums do not contain them. */
  | { readonly type: 'price'; readonly token: Address; readonly amount: bigint | undefined }
  /** Shares in a vault that was not read: without a floor, or down to the floor, no limit counts what they lose. */
  | { readonly type: 'shares'; readonly vault: Address; readonly hasFloor: boolean }
  /** A signed method whose arguments are not checked can move tokens that the mandate does not list. */
  | { readonly type: 'method'; readonly target: Address; readonly selector: Hex }

/** One permission: the rules of all caveats of all its links. */
export type Permission = {
  readonly rules: readonly Rules[]
  /** The last second; undefined for no end. */
  readonly last: bigint | undefined
}

export type FlowFacts = {
  readonly prices: ReadonlyMap<string, Quote>
  /** Whether money at this address is still the owner's. */
  readonly isOwn: (address: Address) => boolean
  /** Whether the address is one of the keys. */
  readonly isKey: (address: Address) => boolean
}

/** A flow, why it has no limit, and what it leaves out. */
export type ReadFlow = {
  readonly flow: Flow
  /** The same for a thief: only with the limits that also count what vaults pay below their floors. */
  readonly theft: Flow
  readonly because: string | undefined
  readonly uncounted: readonly Uncounted[]
}

/** The money that can leave under a permission until a moment. */
export function flowOf(permission: Permission, facts: FlowFacts, horizon: bigint | undefined): ReadFlow {
  const { rules, last } = permission
  const until = horizon === undefined || (last !== undefined && last < horizon) ? last : horizon
  const rights = rightsOf(rules, facts)
  const gas = gasOf(rules, facts)
  const isEmpty = rules.some((rule) => rule.isEmpty)
  const isTransfer = rules.some(({ transfers }) => transfers)
  const caps = rules.flatMap(({ row, transfers, value }) => {
    // A cap on native currency limits everything only if the calldata is empty.
    const plain = value && isEmpty && !isTransfer ? [{ token: zeroAddress, most: value }] : undefined
    const tokens = transfers ?? plain
    return tokens ? [{ row, tokens }] : []
  })
  const isPriced = ({ token }: { readonly token: Address }) => facts.prices.has(token.toLowerCase())
  const hasMoney = rules.some((rule) => rule.money?.length)
  const limits = limitsOf(rules)
  const isHarmless = rules.some((rule) => rule.isHarmless)
  const leaving =
    isHarmless || isTransfer || isEmpty || isUsedUp() ? nothingLeft(rules) : leavingOf(rules, facts)
  const flow = flowWith(limits, new Map())
  return {
    flow,
    theft: flowWith(leaving.counting === rules ? limits : limitsOf(leaving.counting), leaving.shares),
    because: flow.out === undefined ? unboundedBecause() : undefined,
    uncounted: [
      ...rights.uncounted,
      ...leaving.uncounted,
      ...caps.flatMap(({ tokens }) =>
        tokens.flatMap(({ token, most }): readonly Uncounted[] =>
          hasMoney || isPriced({ token }) ? [] : [{ type: 'price', token, amount: most(until) }],
        ),
      ),
    ],
  }

  function limitsOf(some: readonly Rules[]) {
    return [
      ...some.flatMap((rule) => rule.money ?? []),
      // A cap without a price counts as zero and is named, unless a limit in dollars holds.
      ...caps
        .filter(({ tokens }) => !hasMoney || tokens.every(isPriced))
        .map(({ row, tokens }) => ({ row, most: microsOfTokens(tokens, facts) })),
      ...sizedLimits(some, gas),
    ]
  }

  function flowWith(some: ReturnType<typeof limitsOf>, shares: Flow['shares']): Flow {
    const out = isHarmless ? 0n : least(some.map(({ most }) => most(until)))
    const rows = new Map(some.flatMap(({ row, most }) => (row === undefined ? [] : [[row, most]])))
    return { out, until, rows, shares, ...lossesOf(out) }
  }

  /** Leaving a vault costs nothing of a limit in dollars, but it is an execution. */
  function isUsedUp(): boolean {
    return rules.some(({ counts = [] }) => counts.some(({ most }) => most(until) === 0n))
  }

  function lossesOf(
    out: bigint | undefined,
  ): Pick<Flow, 'kept' | 'keptRow' | 'bps' | 'worstBps' | 'causes' | 'assumes'> {
    if (out === 0n) return nothingLost
    if (rights.isBound) {
      const { bps, causes, assumes } = rights
      const kept = gas ? least([gas.most(until), out]) : 0n
      const drawn: readonly LossCause[] = kept === 0n ? [] : [{ type: 'gas' }]
      const worstBps = assumes.length > 0 ? 10_000 : bps
      return { kept, keptRow: gas?.row, bps, worstBps, causes: [...causes, ...drawn], assumes }
    }
    // Plain transfers, or anything at all.
    const isReturned = recipients().length > 0 && recipients().every(facts.isOwn)
    if (isReturned) return nothingLost
    return {
      kept: out,
      keptRow: undefined,
      bps: 10_000,
      worstBps: 10_000,
      causes: [{ type: 'transfer' }],
      assumes: [],
    }
  }

  /** The addresses that a plain transfer can go to; empty for any. */
  function recipients(): readonly Address[] {
    if (isTransfer) return rules.flatMap(({ recipient }) => (recipient ? [recipient] : [])).slice(0, 1)
    const [targets = []] = rules.flatMap((rule) => (rule.targets ? [rule.targets] : []))
    return isEmpty ? targets : []
  }

  function unboundedBecause(): string {
    if (limits.length > 0) return 'its limits renew, and it has no expiry'
    if (rules.some(({ value }) => value))
      return 'its cap on native currency leaves the calldata free, so any token can leave'
    return rules.length === 0 ? 'it has no caveats' : 'no caveat limits the amount'
  }
}

const nothingLost = { kept: 0n, keptRow: undefined, bps: 0, worstBps: 0, causes: [], assumes: [] }

/** The value of tokens, in micros of a dollar. Tokens without a price count as zero. */
function microsOfTokens(tokens: NonNullable<Rules['transfers']>, { prices }: FlowFacts): Most {
  return (until) => {
    let sum = 0n
    for (const { token, most } of tokens) {
      const quote = prices.get(token.toLowerCase())
      const amount = quote ? most(until) : 0n
      if (amount === undefined) return undefined
      if (quote) sum += microsUp(amount, quote)
    }
    return sum
  }
}

/**
 * Limits from a number of executions: the smallest signed size for each, and the gas, which has no size. They
 * have no row: two permissions that share a count can have different sizes.
 */
function sizedLimits(rules: readonly Rules[], gas: Limit | undefined) {
  const size = least(rules.map((rule) => rule.size))
  if (size === undefined) return []
  return rules.flatMap(({ counts = [] }) =>
    counts.map(({ most }) => ({
      row: undefined,
      most(until: bigint | undefined) {
        const [times, drawn] = [most(until), gas ? gas.most(until) : 0n]
        return times === undefined || drawn === undefined ? undefined : times * size + drawn
      },
    })),
  )
}

/** The gas that can be drawn, in micros of a dollar: without a price, only the other limits hold. */
function gasOf(rules: readonly Rules[], { prices }: FlowFacts): Limit | undefined {
  const bound = rules.flatMap(({ rule }) => (rule ? [rule] : []))
  const [first, ...others] = bound.flatMap(({ gas }) => gas ?? [])
  // One caveat with a mandate and without a gas section refuses the draw.
  if (!first || 1 + others.length < bound.length) return undefined
  const quote = prices.get(zeroAddress)
  return {
    row: first.row,
    most(until) {
      const wei = least([first, ...others].map(({ most }) => most(until)))
      return wei === undefined || !quote ? undefined : microsUp(wei, quote)
    },
  }
}

/** What the mandates of a permission allow together, and what a thief can lose with it. */
function rightsOf(
  rules: readonly Rules[],
  { isOwn, isKey }: FlowFacts,
): {
  readonly isBound: boolean
  readonly bps: number
  readonly causes: readonly LossCause[]
  readonly assumes: readonly Assumption[]
  readonly uncounted: readonly Uncounted[]
} {
  const bound = rules.flatMap(({ rule }) => (rule ? [rule] : []))
  const [first] = bound
  if (!first) return { isBound: false, bps: 0, causes: [], assumes: [], uncounted: [] }
  const classes = bound.reduce((bits, rule) => bits & (rule.classes ?? -1), -1)
  const targets = first.mandate.targets.filter(({ address }) =>
    bound.every(({ mandate }) => mandate.targets.some((target) => same(target.address, address))),
  )
  const payees = first.mandate.payees.filter(
    (payee) => !isOwn(payee) && bound.every(({ mandate }) => mandate.payees.some((one) => same(one, payee))),
  )
  const allows = (bits: number, ...kinds: readonly number[]) =>
    (classes & bits) !== 0 && targets.some(({ kind }) => kinds.includes(kind))
  const causes: LossCause[] = []
  const assumes: Assumption[] = []
  const uncounted: Uncounted[] = []
  const hasPair = bound.every(({ pairs, mandate }) => pairs !== 0n && mandate.assets.length > 1)
  const swaps = allows(swapClasses, targetKinds.swapRouter02, targetKinds.universalRouter) && hasPair
  if (swaps) causes.push(lossBy('slippage', 'noSlippageLimit', bound, ({ slippageBps }) => slippageBps))
  const hasPool = targets.some(({ kind }) => kind === targetKinds.pool)
  if (hasPool && allows(classBits.addLiquidity, targetKinds.positionManager))
    causes.push(lossBy('poolPrice', 'noPoolPriceLimit', bound, ({ spreadBps }) => spreadBps))
  if ((classes & classBits.payment) !== 0 && payees.length > 0) {
    if (payees.some(isKey)) causes.push({ type: 'ownPayee' })
    if (!payees.every(isKey)) assumes.push('payee')
  }
  // Without shares, a right to withdraw takes nothing.
  const holdsShares = targets.some(
    ({ kind, address }) =>
      kind === targetKinds.vault && first.shares?.get(address.toLowerCase())?.shares !== 0n,
  )
  if (
    allows(classBits.deposit, targetKinds.vault) ||
    (holdsShares && allows(classBits.withdraw, targetKinds.vault))
  )
    causes.push({ type: 'vaultRate' })
  for (const { kind, address, selector } of targets) {
    if (kind >= targetKinds.spawn && allows(methodClasses[kind] ?? 0, kind)) {
      assumes.push('method')
      uncounted.push({ type: 'method', target: address, selector })
    }
  }
  const bps = Math.max(0, ...causes.map((cause) => ('bps' in cause ? cause.bps : 10_000)))
  return { isBound: true, bps, causes, assumes, uncounted }
}

const nothingLeft = (counting: readonly Rules[]): ReturnType<typeof leavingOf> => ({
  counting,
  shares: new Map(),
  uncounted: [],
})

/**
 * What leaving vaults at a moved rate loses without a limit that counts it: shares × (rate − floor).
 *
 * For a caveat with a floor *F* and a limit *B*, what a thief takes is at most shares × (rate − *F*) + *B*: a share that is
 * bought adds to the first term no more than it takes from the second. Another limit does not count what a vault pays below
 * its floor, so that only the limits of caveats with a floor hold besides it.
 */
function leavingOf(
  rules: readonly Rules[],
  { prices }: FlowFacts,
): {
  readonly counting: readonly Rules[]
  readonly shares: Flow['shares']
  readonly uncounted: readonly Uncounted[]
} {
  const bound = rules.flatMap(({ rule }) => (rule ? [rule] : []))
  const [first] = bound
  const mayLeave = bound.every(({ classes = -1 }) => (classes & classBits.withdraw) !== 0)
  if (!first || !mayLeave) return nothingLeft(rules)
  const vaults = first.mandate.targets
    .filter(({ kind }) => kind === targetKinds.vault)
    .map(({ address }) => address)
    .filter((vault) => bound.every(({ mandate }) => mandate.targets.some((one) => same(one.address, vault))))
  const floorIn = ({ rule }: Rules, vault: Address) =>
    rule?.floors?.find((one) => same(one.vault, vault))?.floor
  const floored = vaults.filter((vault) => rules.some((rule) => floorIn(rule, vault) !== undefined))
  const withFloors = rules.filter((rule) => floored.every((vault) => floorIn(rule, vault) !== undefined))
  const counting = floored.length === 0 || withFloors.length === 0 ? rules : withFloors
  const shares = new Map<string, bigint>()
  const uncounted: Uncounted[] = []
  for (const vault of vaults) {
    const floors = floored.length === 0 ? [] : withFloors.map((rule) => floorIn(rule, vault) ?? 0n)
    const floor = least(floors) ?? 0n
    const held = first.shares?.get(vault.toLowerCase())
    if (!held) {
      uncounted.push({ type: 'shares', vault, hasFloor: floor > 0n })
      continue
    }
    // A vault rounds its rate down.
    const fall = held.rate + 1n - floor
    const lost = fall > 0n && held.shares > 0n ? (held.shares * fall + sharesOfRate - 1n) / sharesOfRate : 0n
    const quote = prices.get(held.asset)
    if (quote) shares.set(`${first.mandate.account}:${vault}`.toLowerCase(), microsUp(lost, quote))
    else if (lost > 0n) uncounted.push({ type: 'price', token: getAddress(held.asset), amount: lost })
  }
  return { counting, shares, uncounted }
}

const methodClasses: Readonly<Record<number, number>> = {
  [targetKinds.spawn]: classBits.spawn,
  [targetKinds.publish]: classBits.publish,
  [targetKinds.sale]: classBits.sale,
}

/** The strictest signed basis points; without any, everything can be lost. */
function lossBy(
  type: 'slippage' | 'poolPrice',
  without: 'noSlippageLimit' | 'noPoolPriceLimit',
  bound: readonly MandateRule[],
  bpsOf: (rule: MandateRule) => number | undefined,
): LossCause {
  const signed = bound.flatMap((rule) => bpsOf(rule) ?? [])
  return signed.length === 0 ? { type: without } : { type, bps: Math.min(...signed) }
}

/** The least of the amounts that are known. */
function least(amounts: readonly (bigint | undefined)[]): bigint | undefined {
  return amounts.reduce(
    (most, amount) => (amount === undefined || (most !== undefined && most < amount) ? most : amount),
    undefined,
  )
}

function same(one: Address, other: Address): boolean {
  return one.toLowerCase() === other.toLowerCase()
}
