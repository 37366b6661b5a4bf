import type { Address, Hex } from 'viem'
import type { Usage } from '../../caveats/boundKind.ts'
import { rowRead } from '../../caveats/cage/cageRow.ts'
import type { CageTerms } from '../../caveats/cage/cageTerms.ts'
import { cage } from '../../caveats/cage.ts'
import type { ChainState, Read } from '../../caveats/caveatKind.ts'
import { dailySpendLimit } from '../../caveats/dailySpendLimit.ts'
import { emotionalState } from '../../caveats/emotionalState.ts'
import { classBits } from '../../caveats/execution/actionClass.ts'
import { methodBits } from '../../caveats/execution/methods.ts'
import { golemPhase } from '../../caveats/golemPhase.ts'
import { knowledgeRoyalty } from '../../caveats/knowledgeRoyalty.ts'
import { maxSlippage } from '../../caveats/maxSlippage.ts'
import type { VaultFloor } from '../../caveats/measure/floors.ts'
import { microsPerCent } from '../../caveats/measure/prices.ts'
import { bucketSeconds, lastExecutionIn } from '../../caveats/measure/rollingBudget.ts'
import { bucketOf } from '../../caveats/measure/totals.ts'
import { wordsIn } from '../../caveats/measure/used.ts'
import { metamaskKinds } from '../../caveats/metamask/metamaskKinds.ts'
import { policyCage } from '../../caveats/policyCage.ts'
import { replicantBudget } from '../../caveats/replicantBudget.ts'
import type { Mandate } from '../../caveats/terms/mandate.ts'
import { vaultNAV } from '../../caveats/vaultNAV.ts'
import type { ReadCaveat } from '../usage.ts'
import {
  executionsUntil,
  type Most,
  periodsUntil,
  rollingUntil,
  streamUntil,
  totalUntil,
} from './limitUntil.ts'
import { shareReads, type VaultShares, vaultShares } from './vaultShares.ts'

/** A limit on state, with the key of its row: other delegations with the same key share it. */
export type Limit = { readonly row: string; readonly most: Most }

/** The mandate of a caveat, and what its other terms allow within it. */
export type MandateRule = {
  readonly mandate: Mandate
  /** Undefined if the caveat allows every class. */
  readonly classes?: number
  readonly pairs?: bigint
  readonly slippageBps?: number
  readonly spreadBps?: number
  /** A withdrawal below them counts towards the limits of the same caveat, and of no other. */
  readonly floors?: readonly VaultFloor[]
  /** The account's shares in the vaults among the targets, by vault in lower case. */
  readonly shares?: ReadonlyMap<string, VaultShares>
  /** Wei that the redeemer can draw. Without it, a caveat with a mandate refuses gas draws. */
  readonly gas?: Limit
}

/** What one caveat contributes. A caveat without an entry here only narrows, so that leaving it out is safe. */
export type Rules = {
  /** The row of MetaMask's caps, which belongs to the delegation. */
  readonly row?: string
  /** In micros of a dollar. */
  readonly money?: readonly Limit[]
  /** The number of executions. */
  readonly counts?: readonly Limit[]
  /** The most that one execution moves, in micros of a dollar. Gas and shortfalls of vaults are not included. */
  readonly size?: bigint
  /** Only plain transfers of one of these tokens pass; the zero address is the native currency. */
  readonly transfers?: readonly { readonly token: Address; readonly most: Most }[]
  /** Wei that leave. Calldata is free, and so are tokens. */
  readonly value?: Most
  /** Only empty calldata passes. */
  readonly isEmpty?: boolean
  /** The only address that a plain transfer of a token can go to. */
  readonly recipient?: Address
  /** The only contracts that can be called. */
  readonly targets?: readonly Address[]
  readonly redeemers?: readonly Address[]
  /** Nothing of value leaves. */
  readonly isHarmless?: boolean
  readonly rule?: MandateRule
}

/** Words of zero: what an enforcer answers before its first use. */
const unused = { ok: true, data: `0x${'0'.repeat(512)}` } as const

/** The state in which everything that was not read is unused, which is the worst case. */
function withUnused(state: ChainState): ChainState {
  return {
    ...state,
    answer(read) {
      const answer = state.answer(read)
      return answer?.ok ? answer : unused
    },
  }
}

type Reader = (caveat: ReadCaveat, state: ChainState) => Rules

/** By the kind's name. */
const readers: Readonly<Record<string, Reader>> = {
  Cage: (caveat, state) => cageRules(cage.decode(caveat.caveat.terms), caveat, state),
  DailySpendLimit(caveat, state) {
    const { lineage, mandate } = dailySpendLimit.decode(caveat.caveat.terms)
    return { ...limitsOf(caveat, state, lineage, ['day']), rule: { mandate } }
  },
  ReplicantBudget(caveat, state) {
    const { lineage, mandate } = replicantBudget.decode(caveat.caveat.terms)
    return { ...limitsOf(caveat, state, lineage, ['life']), rule: { mandate } }
  },
  MaxSlippage: ({ caveat: { terms } }) => ({ rule: maxSlippage.decode(terms) }),
  GolemPhase: ({ caveat: { terms } }) => ({ rule: { mandate: golemPhase.decode(terms).mandate } }),
  VaultNAV: ({ caveat: { terms } }) => ({ rule: { mandate: vaultNAV.decode(terms).mandate } }),
  EmotionalState: ({ caveat: { terms } }) => ({ rule: { mandate: emotionalState.decode(terms).mandate } }),
  KnowledgeRoyalty: ({ caveat: { terms } }) => ({
    rule: { mandate: knowledgeRoyalty.decode(terms).mandate },
  }),
  PolicyCage: ({ caveat: { terms } }) => ({ rule: { mandate: policyCage.decode(terms).mandate } }),
  LimitedCalls: (caveat, state) => limitsOf(caveat, state, caveat.row.delegationHash, ['calls']),
  Redeemer: ({ caveat: { terms } }) => metamaskKinds.Redeemer.decode(terms),
  ApprovalRevocation: () => ({ isHarmless: true }),
  ERC20TransferAmount(caveat, state) {
    const { token, amount } = metamaskKinds.ERC20TransferAmount.decode(caveat.caveat.terms)
    return { transfers: [{ token, most: totalUntil(amount - spentOf(caveat, state)) }] }
  },
  ERC20PeriodTransfer(caveat, state) {
    const { token, ...period } = metamaskKinds.ERC20PeriodTransfer.decode(caveat.caveat.terms)
    return { transfers: [{ token, most: periodsUntil(period, state.timestamp, spentOf(caveat, state)) }] }
  },
  ERC20Streaming(caveat, state) {
    const { token, ...stream } = metamaskKinds.ERC20Streaming.decode(caveat.caveat.terms)
    return { transfers: [{ token, most: streamUntil(stream, state.timestamp, spentOf(caveat, state)) }] }
  },
  MultiTokenPeriod: ({ caveat: { terms } }, { timestamp }) => ({
    // Its rows are not read: what is used of it counts again.
    transfers: metamaskKinds.MultiTokenPeriod.decode(terms).caps.map(({ token, ...period }) => ({
      token,
      most: periodsUntil(period, timestamp, 0n),
    })),
  }),
  NativeTokenTransferAmount(caveat, state) {
    const { amount } = metamaskKinds.NativeTokenTransferAmount.decode(caveat.caveat.terms)
    return { value: totalUntil(amount - spentOf(caveat, state)) }
  },
  NativeTokenPeriodTransfer(caveat, state) {
    const period = metamaskKinds.NativeTokenPeriodTransfer.decode(caveat.caveat.terms)
    return { value: periodsUntil(period, state.timestamp, spentOf(caveat, state)) }
  },
  NativeTokenStreaming(caveat, state) {
    const stream = metamaskKinds.NativeTokenStreaming.decode(caveat.caveat.terms)
    return { value: streamUntil(stream, state.timestamp, spentOf(caveat, state)) }
  },
  ExactCalldata: ({ caveat: { terms } }) => ({
    isEmpty: metamaskKinds.ExactCalldata.decode(terms).calldata === '0x',
  }),
  AllowedTargets: ({ caveat: { terms } }) => metamaskKinds.AllowedTargets.decode(terms),
  AllowedCalldata({ caveat: { terms } }) {
    const { startIndex, value } = metamaskKinds.AllowedCalldata.decode(terms)
    // The first argument of `transfer` is bytes 4 to 36.
    const at = 2 + 2 * (4 - startIndex)
    const word = startIndex > 4 ? '' : value.slice(at, at + 64)
    return /^0{24}[0-9a-f]{40}$/i.test(word) ? { recipient: `0x${word.slice(24)}` } : {}
  },
}

/** What a caveat contributes to the exposure of its permission. */
export function readRules(caveat: ReadCaveat, state: ChainState): Rules {
  const row = keyOf(caveat, caveat.row.delegationHash, 'cap')
  const rules = readers[caveat.kind.name]?.(caveat, withUnused(state))
  return {
    row,
    ...rules,
    ...(rules?.rule && { rule: { ...rules.rule, shares: vaultShares(rules.rule.mandate, state) } }),
  }
}

/** The reads of the vault shares that a permission with this caveat can redeem. */
export function heldReads(caveat: ReadCaveat): readonly Read[] {
  const { rule } = readRules(caveat, { timestamp: 0n, blockNumber: 0n, answer: () => undefined })
  return rule ? shareReads(rule.mandate) : []
}

/** Whether the use of a caveat's limits is unknown: its row was not read, or Bardo cannot read it. */
export function isUnread({ kind, terms, row }: ReadCaveat, state: ChainState): boolean {
  if (!kind.usageReads) return kind.countsAlone === true
  return kind.usageReads(terms, row).some((read) => !state.answer(read)?.ok)
}

function cageRules(terms: CageTerms, caveat: ReadCaveat, state: ChainState): Rules {
  const { mandate, classes, methods, pairs, slippageBps, spreadBps, calls, life, totals = [], gas } = terms
  const { floors = [], cadenceSeconds, start, nav } = terms
  const labels = [
    'day',
    ...(calls === 0 ? [] : ['calls']),
    ...(life ? ['life'] : []),
    ...totals.map(({ periodSeconds }) => `total ${periodSeconds}`),
    ...(gas ? ['gas'] : []),
  ]
  const { money = [], counts = [], gas: drawn } = limitsOf(caveat, state, terms.golem, labels)
  const [budget = 0n] = wordsIn(state, rowRead(caveat.row, terms), 1) ?? []
  const rested = lastExecutionIn(budget) === 0n ? 0n : lastExecutionIn(budget) + BigInt(cadenceSeconds)
  const first = [state.timestamp, BigInt(start), rested].reduce((most, at) => (at > most ? at : most))
  const cadence = {
    row: keyOf(caveat, terms.golem, 'cadence'),
    most: executionsUntil(first, BigInt(cadenceSeconds), undefined),
  }
  const dollars = Math.max(...terms.dollarsByPhase)
  const size = BigInt(dollars) * 100n
  const sizeCents = nav && nav.capCents < size ? nav.capCents : size
  // The shortfall of a vault below its floor counts as spent, and no size limits it.
  const hasSize = floors.length === 0 || (classes & classBits.withdraw) === 0
  const drawsGas = gas && (classes & classBits.gas) !== 0 && (methods & methodBits.native) !== 0
  return {
    money,
    counts: cadenceSeconds === 0 ? counts : [...counts, cadence],
    ...(hasSize && { size: sizeCents * microsPerCent }),
    ...((classes === 0 || mandate.assets.length === 0) && { isHarmless: true }),
    rule: {
      mandate,
      classes,
      pairs,
      slippageBps,
      spreadBps,
      floors,
      ...(drawsGas && drawn && { gas: drawn }),
    },
  }
}

/** The limits that a caveat's usage reports, in the order of their labels. */
function limitsOf(
  caveat: ReadCaveat,
  state: ChainState,
  lineage: Hex,
  labels: readonly string[],
): { readonly money?: readonly Limit[]; readonly counts?: readonly Limit[]; readonly gas?: Limit } {
  const { kind, terms, row } = caveat
  const usages = (at: bigint) => kind.usage?.(terms, row, { ...state, timestamp: at }) ?? []
  const found = usages(state.timestamp)
  const limit = (place: number): Limit => {
    const used = found[place]
    const spentAt = (at: bigint) => usages(at)[place]?.spent ?? 0n
    const per = used && used.unit === 'usdCents' ? microsPerCent : 1n
    const most = used ? mostOf(used, state.timestamp, spentAt) : () => undefined
    return {
      row: keyOf(caveat, lineage, labels[place] ?? ''),
      most(until) {
        const amount = most(until)
        return amount === undefined ? undefined : amount * per
      },
    }
  }
  const places = (unit: Usage['unit']) =>
    found.flatMap((used, place) => (used.unit === unit ? [limit(place)] : []))
  const [gas] = places('native')
  return { money: places('usdCents'), counts: places('calls'), ...(gas && { gas }) }
}

function mostOf(
  { limit, spent, renews, periodSeconds = 86_400 }: Usage,
  now: bigint,
  spentAt: (at: bigint) => bigint,
): Most {
  if (!renews) return totalUntil(limit - spent)
  return rollingUntil(limit, bucketOf(periodSeconds) ?? bucketSeconds, now, spentAt)
}

function spentOf({ kind, terms, row }: ReadCaveat, state: ChainState): bigint {
  return kind.usage?.(terms, row, state)[0]?.spent ?? 0n
}

function keyOf({ row: { enforcer, delegator } }: ReadCaveat, lineage: Hex, label: string): string {
  return `${enforcer}:${delegator}:${lineage}:${label}`.toLowerCase()
}
