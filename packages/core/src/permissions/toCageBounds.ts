import type { Address, Hex } from 'viem'
import { BardoError } from '../errors/BardoError.ts'
import {
  actionClasses,
  type PermissionPlan,
  planMethods,
  type TargetRole,
  targetKey,
} from './permissionPlan.ts'

/** An asset of a mandate, as docs/caveats.md draws it. A feed of zero with no age is "at par". */
export type BookAsset = {
  readonly token: Address
  readonly feed: Address
  readonly maxAge: number
  readonly scale: number
}

/** Where a chain's contracts stand. Symbols are the keys; a pool's key is both symbols in order: `USDC/WETH`. */
export type AddressBook = {
  readonly assets: ReadonlyMap<string, BookAsset>
  readonly pools: ReadonlyMap<string, Address>
  readonly vaults: ReadonlyMap<string, Address>
  readonly contracts: Partial<
    Readonly<Record<'swapRouter' | 'universalRouter' | 'permit2' | 'positionManager', Address>>
  >
  readonly replicantFactory?: { readonly address: Address; readonly selector: Hex }
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

/** The Cage's terms as plain numbers, field by field as docs/caveats.md lists them. */
export type CageBounds = {
  readonly golem: Hex
  readonly start: bigint
  readonly end: bigint
  readonly classes: number
  readonly methods: number
  /** Bit 8 × from + to, by the assets' places. */
  readonly pairs: bigint
  readonly grace: number
  readonly mood: { readonly minPleasure: number; readonly maxArousal: number; readonly minDominance: number }
  readonly restricted: number
  readonly dayCents: number
  readonly slippage: number
  readonly spread: number
  readonly cadence: number
  readonly calls: number
  /** Whole dollars, rounded down, by phase. */
  readonly sizes: readonly [number, number, number, number, number]
  /** Place of the settlement asset; 255 for none. */
  readonly settlement: number
  readonly mandate: {
    readonly account: Address
    readonly assets: readonly BookAsset[]
    readonly targets: readonly { readonly kind: number; readonly contract: Address; readonly selector: Hex }[]
    readonly payees: readonly Address[]
  }
  readonly sections: {
    readonly sequencer?: Address
    readonly vault?: { readonly vault: Address; readonly bps: number; readonly capCents: bigint }
  }
}

/** The most assets that a mandate holds. Origin: docs/caveats.md, the mandate. */
const mostAssets = 8
/** No settlement asset. Origin: docs/caveats.md, Cage. */
const noSettlement = 255
// Kinds of targets, docs/caveats.md, the mandate.
const kinds = {
  swapRouter: 1,
  universalRouter: 2,
  permit2: 3,
  positionManager: 4,
  pool: 5,
  vault: 6,
  replicantFactory: 7,
} as const
const noSelector: Hex = '0x00000000'

/** Puts a plan on a chain: every symbol and role becomes an address from the book, or a clear refusal. */
export function toCageBounds(plan: PermissionPlan, book: AddressBook, subject: CageSubject): CageBounds {
  const { assets } = plan
  if (assets.length > mostAssets) {
    throw new BardoError(`A mandate holds at most ${mostAssets} assets.`, {
      code: 'INVALID_INPUT',
      details: [`the plan has ${assets.length}: ${assets.join(', ')}`],
      remedy: 'Split the strategy between two Golems.',
      docsPath: 'caveats.md#the-mandate',
    })
  }
  const place = (symbol: string) => {
    const at = assets.indexOf(symbol)
    if (at < 0) throw missing(`${symbol} is not among the plan's assets.`)
    return at
  }
  const { vaultNav } = plan.sections
  const [a, b, c, d, e] = plan.sizeCents.map((cents) => Number(cents / 100n))
  return {
    golem: subject.golem,
    start: plan.window.start,
    end: plan.window.end,
    classes: bits(plan.classes, actionClasses),
    methods: bits(plan.methods, planMethods),
    pairs: plan.pairs.reduce((set, { from, to }) => set | (1n << BigInt(8 * place(from) + place(to))), 0n),
    grace: subject.graceSeconds,
    mood: { minPleasure: -100, maxArousal: 100, minDominance: -100 },
    restricted: 0,
    dayCents: Number(plan.dayCents),
    slippage: plan.slippageBps,
    spread: plan.spreadBps,
    cadence: plan.cadenceSeconds,
    calls: plan.calls,
    sizes: [a ?? 0, b ?? 0, c ?? 0, d ?? 0, e ?? 0],
    settlement:
      plan.settlement === undefined || !assets.includes(plan.settlement)
        ? noSettlement
        : place(plan.settlement),
    mandate: {
      account: subject.account,
      assets: assets.map((symbol) => found(book.assets.get(symbol), `an asset ${symbol}`)),
      targets: plan.targets.map((target) => addressOf(target, book)),
      payees: plan.payees.map((payee) => payee as Address),
    },
    sections: {
      ...(book.sequencerFeed && { sequencer: book.sequencerFeed }),
      ...(vaultNav && {
        vault: {
          vault: found(book.vaults.get(vaultNav.asset), `a vault for ${vaultNav.asset}`),
          bps: vaultNav.bps,
          capCents: vaultNav.capCents,
        },
      }),
    },
  }
}

function bits<Name extends string>(names: readonly Name[], order: readonly Name[]): number {
  return names.reduce((set, name) => set | (1 << order.indexOf(name)), 0)
}

function addressOf(target: TargetRole, book: AddressBook) {
  const kind = kinds[target.role]
  const named = `a ${targetKey(target)}`
  switch (target.role) {
    case 'pool':
      return { kind, contract: found(book.pools.get(target.assets.join('/')), named), selector: noSelector }
    case 'vault':
      return { kind, contract: found(book.vaults.get(target.asset), named), selector: noSelector }
    case 'replicantFactory': {
      const { address, selector } = found(book.replicantFactory, named)
      return { kind, contract: address, selector }
    }
    default:
      return { kind, contract: found(book.contracts[target.role], named), selector: noSelector }
  }
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
