import { type Address, type Hex, isAddress } from 'viem'
import type { CageTerms, SizesByPhase } from '../caveats/cage/cageTerms.ts'
import { classBits } from '../caveats/execution/actionClass.ts'
import { methodBits } from '../caveats/execution/methods.ts'
import { maxBudgetCents } from '../caveats/measure/rollingBudget.ts'
import {
  type Asset,
  maxAssets,
  maxList,
  noSettlement,
  type Target,
  targetKinds,
} from '../caveats/terms/mandate.ts'
import { BardoError } from '../errors/BardoError.ts'
import { type PermissionPlan, type TargetRole, targetKey } from './permissionPlan.ts'

/** Where a chain's contracts stand. Symbols are the keys; a pool's key is both symbols in order: `USDC/WETH`. */
export type AddressBook = {
  readonly assets: ReadonlyMap<string, Asset>
  readonly pools: ReadonlyMap<string, Address>
  readonly vaults: ReadonlyMap<string, Address>
  readonly contracts: Partial<
    Readonly<Record<'swapRouter02' | 'universalRouter' | 'permit2' | 'positionManager', Address>>
  >
  /** The one method that makes a Replicant. */
  readonly spawn?: { readonly address: Address; readonly selector: Hex }
  /** On a rollup. */
  readonly sequencerFeed?: Address
}

/** Who the bounds are for, which no plan knows. */
export type CageSubject = {
  /** The Golem's id, 32 bytes. */
  readonly golem: Hex
  /** Whose balances are measured. */
  readonly account: Address
  /** Dead-man's switch in seconds; 0 for none. */
  readonly graceSeconds: number
}

const noSelector: Hex = '0x00000000'
/** A mood that every Golem is in. No class of a plan depends on it. */
const anyMood = { minPleasure: -128, maxArousal: 127, minDominance: -128 } as const

/**
 * Puts a plan on a chain: every symbol and role becomes an address from the book, and every number is one that the
 * Cage's field holds, or a clear refusal.
 *
 * @example
 * cage.encode(toCageTerms(compileStrategy(text, { now }).plan, book, { golem, account, graceSeconds: 86_400 }))
 */
export function toCageTerms(plan: PermissionPlan, book: AddressBook, subject: CageSubject): CageTerms {
  const { assets, settlement } = plan
  requireLists(plan)
  const place = (symbol: string) => {
    const at = assets.indexOf(symbol)
    if (at < 0) throw missing(`${symbol} is not among the plan's assets.`)
    return at
  }
  return {
    golem: subject.golem,
    start: fits('window.start', plan.window.start, 5),
    end: fits('window.end', plan.window.end, 5),
    classes: bits(plan.classes, classBits),
    methods: bits(plan.methods, methodBits),
    pairs: plan.pairs.reduce((set, { from, to }) => set | (1n << BigInt(8 * place(from) + place(to))), 0n),
    graceSeconds: fits('graceSeconds', subject.graceSeconds, 4),
    mood: anyMood,
    restricted: 0,
    dayCents: BigInt(within('dayCents', plan.dayCents, maxBudgetCents)),
    slippageBps: within('slippageBps', plan.slippageBps, 10_000n),
    spreadBps: within('spreadBps', plan.spreadBps, 10_000n),
    cadenceSeconds: fits('cadenceSeconds', plan.cadenceSeconds, 4),
    calls: fits('calls', plan.calls, 4),
    dollarsByPhase: dollarsOf(plan.sizeCents),
    settlement: settlement !== undefined && assets.includes(settlement) ? place(settlement) : noSettlement,
    mandate: {
      account: subject.account,
      assets: assets.map((symbol) => found(book.assets.get(symbol), `an asset ${symbol}`)),
      targets: plan.targets.map((target) => targetIn(book, target)),
      payees: plan.payees.map(payeeOf),
    },
    ...(book.sequencerFeed && { sequencer: book.sequencerFeed }),
    ...navOf(plan, book),
  }
}

function requireLists({ assets, targets, payees }: PermissionPlan): void {
  if (assets.length === 0) {
    throw new BardoError('A mandate tracks at least one asset, and this plan has none.', {
      code: 'INVALID_INPUT',
      remedy: 'Name what may be used, as in "assets: USDC".',
      docsPath: 'caveats.md#the-mandate',
    })
  }
  if (assets.length > maxAssets) {
    throw new BardoError(`A mandate holds at most ${maxAssets} assets.`, {
      code: 'INVALID_INPUT',
      details: [`the plan has ${assets.length}: ${assets.join(', ')}`],
      remedy: 'Split the strategy between two Golems.',
      docsPath: 'caveats.md#the-mandate',
    })
  }
  within('targets', targets.length, BigInt(maxList - 1))
  within('payees', payees.length, BigInt(maxList - 1))
}

function navOf({ sections: { vaultNav } }: PermissionPlan, book: AddressBook): Pick<CageTerms, 'nav'> {
  if (!vaultNav) return {}
  const { asset, bps, capCents } = vaultNav
  return {
    nav: {
      vault: found(book.vaults.get(asset), `a vault for ${asset}`),
      bps: within('vaultNav.bps', bps, 10_000n),
      capCents: BigInt(fits('vaultNav.capCents', capCents, 5)),
    },
  }
}

/** Whole dollars, rounded down: never more than the plan says. */
function dollarsOf(cents: PermissionPlan['sizeCents']): SizesByPhase {
  const dollars = (phase: 0 | 1 | 2 | 3 | 4) => fits(`sizeCents[${phase}] in dollars`, cents[phase] / 100n, 3)
  return [dollars(0), dollars(1), dollars(2), dollars(3), dollars(4)]
}

function bits<Name extends string>(names: readonly Name[], bitOf: Readonly<Record<Name, number>>): number {
  return names.reduce((set, name) => set | bitOf[name], 0)
}

/** A number that a field of so many bytes holds. */
function fits(field: string, value: bigint | number, bytes: number): number {
  return within(field, value, (1n << BigInt(8 * bytes)) - 1n)
}

function within(field: string, value: bigint | number, most: bigint): number {
  if ((typeof value === 'bigint' || Number.isSafeInteger(value)) && value >= 0 && value <= most)
    return Number(value)
  throw new BardoError('A number of the plan does not fit into the terms of a Cage.', {
    code: 'INVALID_INPUT',
    details: [`${field} is ${value}`, `the field holds whole numbers from 0 to ${most}`],
    remedy: 'Choose a smaller number: a larger one cannot be bounded on-chain.',
    docsPath: 'caveats.md#cage',
  })
}

function targetIn(book: AddressBook, target: TargetRole): Target {
  const kind = targetKinds[target.role]
  const named = `a ${targetKey(target)}`
  const selector = noSelector
  switch (target.role) {
    case 'pool':
      return { kind, address: found(book.pools.get(target.assets.join('/')), named), selector }
    case 'vault':
      return { kind, address: found(book.vaults.get(target.asset), named), selector }
    case 'spawn':
      return { kind, ...found(book.spawn, named) }
    default:
      return { kind, address: found(book.contracts[target.role], named), selector }
  }
}

function payeeOf(payee: string): Address {
  if (isAddress(payee, { strict: false })) return payee
  throw new BardoError('A payee is not an address.', { code: 'INVALID_INPUT', details: [payee] })
}

function found<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined) throw missing(`This chain's address book has no entry for ${what}.`)
  return value
}

function missing(message: string) {
  return new BardoError(message, {
    code: 'ADDRESS_UNKNOWN',
    remedy: 'Add it to the address book, or change the strategy.',
    docsPath: 'caveats.md#the-mandate',
  })
}
