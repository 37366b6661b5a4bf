import { type Address, type Hex, isAddress, isAddressEqual, zeroAddress } from 'viem'
import type { CageTerms, SizesByPhase } from '../caveats/cage/cageTerms.ts'
import { classBits } from '../caveats/execution/actionClass.ts'
import { methodBits } from '../caveats/execution/methods.ts'
import type { CoSigners } from '../caveats/measure/coSigners.ts'
import type { VaultFloor } from '../caveats/measure/floors.ts'
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
import { type Constitution, type ConstitutionPlan, hashConstitution, toConstitution } from './constitution.ts'
import { type CoSignerPlan, type PermissionPlan, type TargetRole, targetKey } from './permissionPlan.ts'

/** The contract addresses of a chain, keyed by symbol; a pool's key is both symbols in order: `USDC/WETH`. */
export type AddressBook = {
  readonly assets: ReadonlyMap<string, Asset>
  readonly pools: ReadonlyMap<string, Address>
  readonly vaults: ReadonlyMap<string, Address>
  readonly contracts: Partial<
    Readonly<Record<'swapRouter02' | 'universalRouter' | 'permit2' | 'positionManager', Address>>
  >
  /** The method that sells knowledge. */
  readonly sale?: { readonly address: Address; readonly selector: Hex }
  /** The methods that publish, by the name of their contract in upper case. */
  readonly publishers?: ReadonlyMap<string, { readonly address: Address; readonly selector: Hex }>
  /** Rollups only. */
  readonly sequencerFeed?: Address
  /** The owner accepts prices on a rollup without a sequencer feed. */
  readonly acceptsNoSequencerFeed?: true
  /** Addresses that are not built in: they come from the owner's file, and only the owner checked them. */
  readonly unverified?: readonly Address[]
  /** The active keys of the owner's other Golems, by name in lower case: a strategy names co-signers by them. */
  readonly members?: ReadonlyMap<string, Address>
  /** The native currency with its price feed; its token is the zero address. Without it, no gas is signed. */
  readonly native?: Asset
}

/** The parameters that no plan contains. */
export type CageSubject = {
  /** The Golem's id, 32 bytes. */
  readonly golem: Hex
  /** The account whose balances are measured. */
  readonly account: Address
  /** Dead-man's switch in seconds; 0 for none. */
  readonly graceSeconds: number
  /** The floors of vaults, as `defaultFloor` computes them. Only those of the plan's vaults are signed. */
  readonly floors?: readonly VaultFloor[] | undefined
}

const noSelector: Hex = '0x00000000'
/** A mood that always holds. */
const anyMood = { minPleasure: -128, maxArousal: 127, minDominance: -128 } as const

/**
 * Turns a plan into Cage terms: every symbol and role becomes an address of the book, and every number must
 * fit its field.
 *
 * @example
 * cage.encode(toCageTerms(compileStrategy(text, { now }).plan, book, { golem, account, graceSeconds: 86_400
 * }))
 */
export function toCageTerms(plan: PermissionPlan, book: AddressBook, subject: CageSubject): CageTerms {
  const { assets, settlement } = plan
  requireLists(plan)
  requireSettled(plan)
  const place = (symbol: string) => {
    const at = assets.indexOf(symbol)
    if (at < 0) throw missing(`${symbol} is not among the plan's assets.`)
    return at
  }
  const targets = plan.targets.map((target) => targetIn(book, target))
  const gas = gasIn(plan, book)
  return {
    version: 2,
    golem: subject.golem,
    start: fits('window.start', plan.window.start, 5),
    end: fits('window.end', plan.window.end, 5),
    classes: bits(plan.classes, classBits) | (gas ? classBits.gas : 0),
    methods: bits(plan.methods, methodBits) | (gas ? methodBits.native : 0),
    pairs: plan.pairs.reduce((set, { from, to }) => set | (1n << BigInt(8 * place(from) + place(to))), 0n),
    graceSeconds: fits('graceSeconds', subject.graceSeconds, 4),
    mood: plan.sections.mood?.bounds ?? anyMood,
    restricted: bits(plan.sections.mood?.classes ?? [], classBits),
    dayCents: BigInt(within('dayCents', plan.dayCents, maxBudgetCents)),
    slippageBps: within('slippageBps', plan.slippageBps, 10_000n),
    spreadBps: within('spreadBps', plan.spreadBps, 10_000n),
    cadenceSeconds: fits('cadenceSeconds', plan.cadenceSeconds, 4),
    calls: fits('calls', plan.calls, 4),
    dollarsByPhase: dollarsOf(plan.sizeCents),
    settlement: settlement !== undefined && assets.includes(settlement) ? place(settlement) : noSettlement,
    mandate: {
      account: subject.account,
      assets: [
        ...assets.map((symbol) => required(book.assets.get(symbol), assetWords(symbol))),
        // Last: the places of the plan's assets are those of the mandate.
        ...(gas ? [gas.native] : []),
      ],
      targets,
      payees: plan.payees.map(payeeOf),
    },
    ...(book.sequencerFeed && { sequencer: book.sequencerFeed }),
    ...navOf(plan, book),
    ...(gas && { gas: { microEtherPerDay: gas.microEtherPerDay } }),
    ...(plan.sections.totals && { totals: plan.sections.totals }),
    ...(plan.sections.sale && { royalty: plan.sections.sale }),
    ...floorsOf(subject, targets),
    ...(plan.sections.coSigners && { coSigners: coSignerKeys(plan.sections.coSigners, book) }),
    ...(plan.sections.constitution && {
      constitution: hashConstitution(constitutionIn(plan.sections.constitution, book)),
    }),
  }
}

/**
 * What a plan needs and an address book lacks, in words: assets, contracts, vaults and pools. Empty if the
 * plan can be deployed on the book's chain.
 *
 * @example
 * missingAddresses(compileStrategy(text, { now }).plan, book) // ['a vault WETH']
 */
export function missingAddresses(plan: PermissionPlan, book: AddressBook): readonly string[] {
  const { vaultNav, constitution, coSigners } = plan.sections
  const lacks = [
    ...(constitution?.shares ?? []).flatMap(({ asset }) =>
      book.assets.has(asset) ? [] : [assetWords(asset)],
    ),
    ...plan.assets.flatMap((symbol) => (book.assets.has(symbol) ? [] : [assetWords(symbol)])),
    ...plan.targets.flatMap((target) => (contractIn(book, target) ? [] : [targetWords(target)])),
    ...(vaultNav && !book.vaults.has(vaultNav.asset)
      ? [targetWords({ role: 'vault', asset: vaultNav.asset })]
      : []),
    ...(coSigners?.members ?? []).flatMap((member) => (memberIn(book, member) ? [] : [memberWords(member)])),
  ]
  return [...new Set(lacks)]
}

/**
 * A plan's constitution with the addresses of a chain.
 *
 * @example
 * const content = constitutionIn(plan.sections.constitution, book)
 */
export function constitutionIn(constitution: ConstitutionPlan, book: AddressBook): Constitution {
  return toConstitution(constitution, (symbol) => required(book.assets.get(symbol), assetWords(symbol)).token)
}

const memberWords = (name: string) => `a Golem ${name} of this owner`
const assetWords = (symbol: string) => `an asset ${symbol}`
const targetWords = (target: TargetRole) => `a ${targetKey(target)}`

/**
 * The gas that is signed: none if the book has no price for the native currency, if the mandate has no place for
 * it, or if it is a default that was not settled.
 */
function gasIn({ assets, sections: { gas } }: PermissionPlan, { native, assets: known }: AddressBook) {
  if (!gas || gas.isDefault || !native || assets.length >= maxAssets) return undefined
  // Listed twice, a balance would count twice.
  const isListed = assets.some((symbol) => known.get(symbol)?.token === zeroAddress)
  if (isListed) return undefined
  return { native, microEtherPerDay: BigInt(within('gas', gas.microEtherPerDay, maxBudgetCents)) }
}

/** A share without a portfolio would be signed as no limit. */
function requireSettled({ sections: { sizeShares } }: PermissionPlan): void {
  if (!sizeShares || sizeShares.portfolioCents !== undefined) return
  throw new BardoError('The plan has a share of the portfolio that was not turned into dollars.', {
    code: 'INVALID_INPUT',
    remedy: 'Read the portfolio and call settlePlan first.',
    docsPath: 'permissions.md#what-is-signed',
  })
}

function requireLists({ assets, targets, payees }: PermissionPlan): void {
  if (assets.length === 0) {
    throw new BardoError('The plan has no assets; a mandate needs at least one.', {
      code: 'INVALID_INPUT',
      remedy: 'Name the assets, for example "assets: USDC".',
      docsPath: 'caveats.md#the-mandate',
    })
  }
  if (assets.length > maxAssets) {
    throw new BardoError(`The plan has too many assets: a mandate has at most ${maxAssets}.`, {
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
      vault: required(book.vaults.get(asset), `a vault for ${asset}`),
      bps: within('vaultNav.bps', bps, 10_000n),
      capCents: BigInt(fits('vaultNav.capCents', capCents, 5)),
    },
  }
}

/**
 * The keys of a council in the order that the chain requires.
 *
 * @example
 * coSignerKeys(parseCoSigners('2 of scout, judge, clerk'), book)
 */
export function coSignerKeys({ threshold, members }: CoSignerPlan, book: AddressBook): CoSigners {
  const keys = members
    .map((member) => required(memberIn(book, member), memberWords(member)))
    .toSorted((one, other) => (BigInt(one) < BigInt(other) ? -1 : 1))
  const twice = keys.find((key, at) => at > 0 && isAddressEqual(key, keys[at - 1] ?? key))
  if (twice)
    throw new BardoError('Two co-signers have the same key.', {
      code: 'INVALID_INPUT',
      details: [twice, `co-signers: ${members.join(', ')}`],
      remedy: 'Name each co-signer once.',
      docsPath: 'council.md',
    })
  return { threshold, keys }
}

function memberIn({ members }: AddressBook, member: string): Address | undefined {
  return isAddress(member, { strict: false }) ? member : members?.get(member.toLowerCase())
}

/** The floors of the vaults that are targets, in the order that the Cage requires. */
function floorsOf({ floors = [] }: CageSubject, targets: readonly Target[]): Pick<CageTerms, 'floors'> {
  const vaults = targets.filter(({ kind }) => kind === targetKinds.vault)
  const signed = floors
    .filter(({ vault }) => vaults.some(({ address }) => isAddressEqual(address, vault)))
    .toSorted((one, other) => (BigInt(one.vault) < BigInt(other.vault) ? -1 : 1))
  return signed.length === 0 ? {} : { floors: signed }
}

/** Whole dollars, rounded down: never more than in the plan. */
function dollarsOf(cents: PermissionPlan['sizeCents']): SizesByPhase {
  const dollars = (phase: 0 | 1 | 2 | 3 | 4) => fits(`sizeCents[${phase}] in dollars`, cents[phase] / 100n, 3)
  return [dollars(0), dollars(1), dollars(2), dollars(3), dollars(4)]
}

function bits<Name extends string>(names: readonly Name[], bitOf: Readonly<Record<Name, number>>): number {
  return names.reduce((set, name) => set | bitOf[name], 0)
}

/** A number that fits a field of this many bytes. */
function fits(field: string, value: bigint | number, bytes: number): number {
  return within(field, value, (1n << BigInt(8 * bytes)) - 1n)
}

function within(field: string, value: bigint | number, most: bigint): number {
  if ((typeof value === 'bigint' || Number.isSafeInteger(value)) && value >= 0 && value <= most)
    return Number(value)
  throw new BardoError('A number of the plan does not fit into the terms of a Cage.', {
    code: 'INVALID_INPUT',
    details: [`${field} is ${value}`, `the field holds whole numbers from 0 to ${most}`],
    remedy: 'Choose a smaller number: the Cage cannot enforce a larger one.',
    docsPath: 'caveats.md#cage',
  })
}

function targetIn(book: AddressBook, target: TargetRole): Target {
  return { kind: targetKinds[target.role], ...required(contractIn(book, target), targetWords(target)) }
}

/** The address of a target in the book; undefined if it is not listed. */
function contractIn(book: AddressBook, target: TargetRole): Omit<Target, 'kind'> | undefined {
  if (target.role === 'sale') return book.sale
  if (target.role === 'publish') return book.publishers?.get(target.name)
  const address =
    target.role === 'pool'
      ? book.pools.get(target.assets.join('/'))
      : target.role === 'vault'
        ? book.vaults.get(target.asset)
        : book.contracts[target.role]
  return address && { address, selector: noSelector }
}

function payeeOf(payee: string): Address {
  if (isAddress(payee, { strict: false })) return payee
  throw new BardoError('A payee is not an address.', { code: 'INVALID_INPUT', details: [payee] })
}

function required<Value>(value: Value | undefined, what: string): Value {
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
