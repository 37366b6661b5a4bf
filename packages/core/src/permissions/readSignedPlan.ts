import { type Address, isAddressEqual, zeroAddress } from 'viem'
import { type CageTerms, hasPair } from '../caveats/cage/cageTerms.ts'
import { classBits } from '../caveats/execution/actionClass.ts'
import { methodBits } from '../caveats/execution/methods.ts'
import { type Mandate, targetKinds } from '../caveats/terms/mandate.ts'
import type { PermissionPlan, PlanPair, TargetRole } from './permissionPlan.ts'
import type { AddressBook } from './toCageTerms.ts'

/** What an owner signed, in the strategy's symbols, with the signed address of each symbol. */
export type SignedPlan = {
  readonly plan: PermissionPlan
  /** Every address comes from the signed terms; only the symbols come from outside. */
  readonly book: AddressBook
}

/**
 * Reads the plan back from signed terms: the inverse of `toCageTerms`. The result depends on the signed bytes
 * alone, so a newer strategy compiler or a changed address book never changes what a Golem may do.
 *
 * @param names - the address book that names tokens, vaults and pools. A signed token that it does not list
 * is named by its address; a signed vault or pool that it does not list is omitted. The
 * native currency that is signed for gas is not an asset of the plan. Shares of the portfolio and of a vault's rate
 * are signed as numbers, so they are not read back.
 *
 * @example
 * const { plan, book } = readSignedPlan(cage.decode(caveat.terms), addressBook)
 */
export function readSignedPlan(terms: CageTerms, names: AddressBook): SignedPlan {
  const { mandate } = terms
  const book = signedBook(mandate, names, terms.sequencer, terms.gas !== undefined)
  const assets = [...book.assets.keys()]
  const isGasOnly = book.native !== undefined
  const [thriving, stable, conservation, declining, terminal] = terms.dollarsByPhase
  const cents = (dollars: number) => BigInt(dollars) * 100n
  const settlement = assets[terms.settlement]
  return {
    book,
    plan: {
      classes: namesIn(terms.classes & ~(isGasOnly ? classBits.gas : 0), classBits),
      methods: namesIn(terms.methods & ~(isGasOnly ? methodBits.native : 0), methodBits),
      assets,
      pairs: pairsIn(terms.pairs, assets),
      targets: rolesIn(book),
      payees: mandate.payees,
      dayCents: terms.dayCents,
      sizeCents: [cents(thriving), cents(stable), cents(conservation), cents(declining), cents(terminal)],
      slippageBps: terms.slippageBps,
      spreadBps: terms.spreadBps,
      cadenceSeconds: terms.cadenceSeconds,
      calls: terms.calls,
      window: { start: BigInt(terms.start), end: BigInt(terms.end) },
      settlement,
      sections: sectionsIn(terms, book, names),
      reasons: [],
    },
  }
}

/**
 * A signed mandate as an address book: its assets, contracts, vaults and pools, named as in another book.
 *
 * @example
 * const book = signedBook(cage.decode(caveat.terms).mandate, devnetBook(world))
 */
export function signedBook(
  mandate: Mandate,
  names: AddressBook,
  sequencer?: Address,
  drawsGas = false,
): AddressBook {
  const addressesOf = (kind: number) =>
    mandate.targets.flatMap((target) => (target.kind === kind ? [target.address] : []))
  const [swapRouter02] = addressesOf(targetKinds.swapRouter02)
  const [universalRouter] = addressesOf(targetKinds.universalRouter)
  const [permit2] = addressesOf(targetKinds.permit2)
  const [positionManager] = addressesOf(targetKinds.positionManager)
  const sale = mandate.targets.find(({ kind }) => kind === targetKinds.sale)
  const publishers = [...(names.publishers ?? [])].filter(([, { address, selector }]) =>
    mandate.targets.some(
      (target) =>
        target.kind === targetKinds.publish &&
        target.selector === selector &&
        isAddressEqual(target.address, address),
    ),
  )
  const last = mandate.assets.at(-1)
  const native = drawsGas && last?.token === zeroAddress ? last : undefined
  const symbolOf = (token: Address) =>
    [...names.assets].find(([, asset]) => isAddressEqual(asset.token, token))?.[0] ?? token
  return {
    assets: new Map(
      mandate.assets.flatMap((asset) => (asset === native ? [] : [[symbolOf(asset.token), asset] as const])),
    ),
    vaults: named(names.vaults, addressesOf(targetKinds.vault)),
    pools: named(names.pools, addressesOf(targetKinds.pool)),
    contracts: {
      ...(swapRouter02 && { swapRouter02 }),
      ...(universalRouter && { universalRouter }),
      ...(permit2 && { permit2 }),
      ...(positionManager && { positionManager }),
    },
    ...(sale && { sale: { address: sale.address, selector: sale.selector } }),
    ...(publishers.length > 0 && { publishers: new Map(publishers) }),
    ...(sequencer && { sequencerFeed: sequencer }),
    ...(native && { native }),
  }
}

function named(
  names: ReadonlyMap<string, Address>,
  addresses: readonly Address[],
): ReadonlyMap<string, Address> {
  return new Map(
    [...names].filter(([, address]) => addresses.some((signed) => isAddressEqual(signed, address))),
  )
}

function rolesIn({
  contracts,
  pools,
  vaults,
  sale,
  publishers = new Map(),
}: AddressBook): readonly TargetRole[] {
  return [
    ...(['swapRouter02', 'universalRouter', 'permit2', 'positionManager'] as const).flatMap((role) =>
      contracts[role] ? [{ role }] : [],
    ),
    ...[...pools.keys()].flatMap((key): TargetRole[] => {
      const [first, second] = key.split('/')
      return first && second ? [{ role: 'pool', assets: [first, second] }] : []
    }),
    ...[...vaults.keys()].map((asset) => ({ role: 'vault', asset }) as const),
    ...(sale ? [{ role: 'sale' } as const] : []),
    ...[...publishers.keys()].map((name) => ({ role: 'publish', name }) as const),
  ]
}

function pairsIn(bits: bigint, assets: readonly string[]): readonly PlanPair[] {
  return assets.flatMap((from, out) =>
    assets.flatMap((to, into) => (hasPair(bits, out, into) ? [{ from, to }] : [])),
  )
}

function sectionsIn(
  terms: CageTerms,
  { vaults }: AddressBook,
  { members = new Map() }: AddressBook,
): PermissionPlan['sections'] {
  const { nav, gas, totals, royalty, restricted, mood, coSigners } = terms
  const asset = nav && [...vaults].find(([, address]) => isAddressEqual(address, nav.vault))?.[0]
  const memberOf = (key: Address) =>
    [...members].find(([, member]) => isAddressEqual(member, key))?.[0] ?? key
  return {
    ...(nav && asset && { vaultNav: { asset, bps: nav.bps, capCents: nav.capCents } }),
    ...(restricted !== 0 && { mood: { bounds: mood, classes: namesIn(restricted, classBits) } }),
    ...(totals && { totals }),
    ...(gas && { gas }),
    ...(royalty && { sale: royalty }),
    ...(coSigners && {
      coSigners: { threshold: coSigners.threshold, members: coSigners.keys.map(memberOf) },
    }),
  }
}

function namesIn<Name extends string>(bits: number, bitOf: Readonly<Record<Name, number>>): readonly Name[] {
  return (Object.keys(bitOf) as Name[]).filter((name) => (bits & bitOf[name]) !== 0)
}
