import { type Address, type Hex, zeroAddress } from 'viem'
import { classBits, swapClasses } from '../../caveats/execution/actionClass.ts'
import { microsUp, type Quote } from '../../caveats/measure/prices.ts'
import { targetKinds } from '../../caveats/terms/mandate.ts'
import type { Most } from './limitUntil.ts'
import type { Assumption, Flow, LossCause } from './mergeFlows.ts'
import type { Limit, MandateRule, Rules } from './readRules.ts'

/** A part that the sums leave out, because it needs a price or a read of the chain. */
export type Uncounted =
  /** The use of a limit was not read; it counts as unused. */
  | { readonly type: 'usage'; readonly caveat: string; readonly delegation: Hex }
  /** Tokens without a price: the sums do not contain them. */
  | { readonly type: 'price'; readonly token: Address; readonly amount: bigint | undefined }
  /** Shares that the account holds: without a floor, or down to the floor, no limit counts what they lose. */
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
  const money = rules.flatMap((rule) => rule.money ?? [])
  const isPriced = ({ token }: { readonly token: Address }) => facts.prices.has(token.toLowerCase())
  const limits = [
    ...money,
    // A cap without a price counts as zero and is named, unless a limit in dollars holds.
    ...caps
      .filter(({ tokens }) => money.length === 0 || tokens.every(isPriced))
      .map(({ row, tokens }) => ({ row, most: microsOfTokens(tokens, facts) })),
    ...sizedLimits(rules, gas),
  ]
  const isHarmless = rules.some((rule) => rule.isHarmless)
  const out = isHarmless ? 0n : least(limits.map(({ most }) => most(until)))
  const rows = new Map(limits.flatMap(({ row, most }) => (row === undefined ? [] : [[row, most]])))
  return {
    flow: { out, until, rows, ...lossesOf() },
    because: out === undefined ? unboundedBecause() : undefined,
    uncounted: [
      ...rights.uncounted,
      ...caps.flatMap(({ tokens }) =>
        tokens.flatMap(({ token, most }): readonly Uncounted[] =>
          money.length > 0 || isPriced({ token }) ? [] : [{ type: 'price', token, amount: most(until) }],
        ),
      ),
    ],
  }

  function lossesOf(): Pick<Flow, 'kept' | 'keptRow' | 'bps' | 'worstBps' | 'causes' | 'assumes'> {
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
  if (allows(classBits.deposit | classBits.withdraw, targetKinds.vault)) assumes.push('vault')
  for (const { kind, address, selector } of targets) {
    if (kind === targetKinds.vault && (classes & classBits.withdraw) !== 0) {
      const hasFloor = bound.some(({ floors = [] }) => floors.some((vault) => same(vault, address)))
      uncounted.push({ type: 'shares', vault: address, hasFloor })
    }
    if (kind >= targetKinds.spawn && allows(methodClasses[kind] ?? 0, kind)) {
      assumes.push('method')
      uncounted.push({ type: 'method', target: address, selector })
    }
  }
  const bps = Math.max(0, ...causes.map((cause) => ('bps' in cause ? cause.bps : 10_000)))
  return { isBound: true, bps, causes, assumes, uncounted }
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
