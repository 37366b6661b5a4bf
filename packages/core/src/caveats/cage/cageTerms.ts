import { type Address, concat, type Hex } from 'viem'
import { BardoError } from '../../errors/BardoError.ts'
import type { RulesVersion } from '../caveatKind.ts'
import { moodAt, moodFields } from '../emotionalState.ts'
import { knownClasses } from '../execution/actionClass.ts'
import {
  bigAt,
  type Digits,
  hexAt,
  lengthOf,
  loadWord,
  packedAddressAt,
  smallAt,
} from '../execution/digits.ts'
import { allMethods } from '../execution/methods.ts'
import { remember } from '../execution/remember.ts'
import { type CoSigners, requireAscending, requireThreshold } from '../measure/coSigners.ts'
import { requireFloors, type VaultFloor } from '../measure/floors.ts'
import { maxBudgetCents } from '../measure/rollingBudget.ts'
import type { Share } from '../measure/royalty.ts'
import { requireTotals, type Total } from '../measure/totals.ts'
import type { NavBound } from '../measure/vaultNav.ts'
import type { Mood } from '../measure/vitalSigns.ts'
import type { LifeBudget } from '../replicantBudget.ts'
import {
  encodeMandate,
  type Mandate,
  mandateHead,
  mandateSize,
  noSettlement,
  readMandate,
  requireBps,
} from '../terms/mandate.ts'
import { packed } from '../terms/packed.ts'
import { coSignersAt, encodeCoSigners } from '../threshold.ts'
import { refuse } from '../verdict/refuse.ts'

/** Maximum whole dollars per execution, for each phase from Thriving to Terminal; 0 allows nothing. */
export type SizesByPhase = readonly [number, number, number, number, number]

/** Native currency that the redeemer may draw for gas. */
export type GasBound = {
  /** Millionths of the native currency, from 1 to 2^28 − 1, in any 24 hours. */
  readonly microEtherPerDay: bigint
}

/** The unit of `microEtherPerDay`. */
export const weiPerMicroEther = 10n ** 12n

/** The terms of a Cage. */
export type CageTerms = {
  /** The version of the terms and of the enforcer. Version 2 added gas, totals and floors. */
  readonly version: RulesVersion
  /** The Golem's id, which is also the lineage that owns the budgets. */
  readonly golem: Hex
  /** Unix seconds, both inclusive. */
  readonly start: number
  readonly end: number
  /** Bits of the allowed action classes. */
  readonly classes: number
  /** Bits of the allowed methods. */
  readonly methods: number
  /** Allowed swaps: bit 8 × from + to, by the assets' indexes. */
  readonly pairs: bigint
  /** Dead-man's switch in seconds; 0 for none. */
  readonly graceSeconds: number
  readonly mood: Mood
  /** Bits of the classes that require that mood; 0 for none. */
  readonly restricted: number
  /** Maximum that leaves in any 24 hours, below 2^28. */
  readonly dayCents: bigint
  readonly slippageBps: number
  readonly spreadBps: number
  /** Minimum seconds between two executions; 0 for no minimum. */
  readonly cadenceSeconds: number
  /** Maximum number of executions; 0 for no limit. */
  readonly calls: number
  readonly dollarsByPhase: SizesByPhase
  /** Index of the asset that unwinding swaps into; 255 for none. */
  readonly settlement: number
  readonly mandate: Mandate
  /** The rollup's sequencer feed. */
  readonly sequencer?: Address | undefined
  readonly nav?: NavBound | undefined
  readonly life?: LifeBudget | undefined
  readonly royalty?: Share | undefined
  /** The hash of a constitution. */
  readonly constitution?: Hex | undefined
  readonly gas?: GasBound | undefined
  /** By ascending period. */
  readonly totals?: readonly Total[] | undefined
  /** By ascending vault. */
  readonly floors?: readonly VaultFloor[] | undefined
  readonly coSigners?: CoSigners | undefined
}

/** Whether a swap between two asset indexes is allowed. */
export function hasPair(pairs: bigint, from: number, to: number): boolean {
  return from >= 0 && to >= 0 && ((pairs >> BigInt(8 * from + to)) & 1n) === 1n
}

/** The optional sections of each version, in the order of their flag bits. */
const layouts = {
  1: {
    head: 98,
    extrasSize: 1,
    sections: ['sequencer', 'nav', 'life', 'royalty', 'constitution', 'coSigners'],
  },
  2: {
    head: 99,
    extrasSize: 2,
    sections: ['sequencer', 'nav', 'life', 'royalty', 'constitution', 'gas', 'totals', 'floors', 'coSigners'],
  },
} as const satisfies Record<RulesVersion, Layout>

type Layout = {
  readonly head: number
  readonly extrasSize: number
  readonly sections: readonly Section[]
}

/** The size of each section: a fixed length, or a head whose last byte counts the entries that follow. */
const sectionSizes = {
  sequencer: 20,
  nav: 27,
  life: 14,
  royalty: 22,
  constitution: 32,
  gas: 4,
  totals: { head: 1, entry: 8 },
  floors: { head: 1, entry: 36 },
  coSigners: { head: 2, entry: 20 },
} as const

type Section = keyof typeof sectionSizes

export function encodeCageTerms(terms: CageTerms): Hex {
  const { version, mood, sequencer, nav, life, royalty, constitution, gas, totals, floors, coSigners } = terms
  const { extrasSize, sections } = layouts[version]
  requireSectionsOf(terms)
  const extras = sections.reduce(
    (bits, name, place) => (terms[name] === undefined ? bits : bits | (1 << place)),
    0,
  )
  return concat([
    packed([1, version], [extrasSize, extras], [32, terms.golem], [5, terms.start], [5, terms.end]),
    packed([2, terms.classes], [3, terms.methods], [8, terms.pairs], [4, terms.graceSeconds]),
    packed(...moodFields(mood), [2, terms.restricted]),
    packed([4, terms.dayCents], [2, terms.slippageBps], [2, terms.spreadBps]),
    packed([4, terms.cadenceSeconds], [4, terms.calls]),
    ...terms.dollarsByPhase.map((dollars) => packed([3, dollars])),
    packed([1, terms.settlement]),
    encodeMandate(terms.mandate),
    sequencer ? packed([20, sequencer]) : '0x',
    nav ? packed([20, nav.vault], [2, nav.bps], [5, nav.capCents]) : '0x',
    life ? packed([5, life.allowedCents], [5, life.born], [4, life.lifespanSeconds]) : '0x',
    royalty ? packed([20, royalty.author], [2, royalty.bps]) : '0x',
    constitution ? packed([32, constitution]) : '0x',
    gas ? packed([4, gas.microEtherPerDay]) : '0x',
    totals ? packed([1, totals.length]) : '0x',
    ...(totals ?? []).map(({ periodSeconds, cents }) => packed([4, periodSeconds], [4, cents])),
    floors ? packed([1, floors.length]) : '0x',
    ...(floors ?? []).map(({ vault, floor }) => packed([20, vault], [16, floor])),
    coSigners ? encodeCoSigners(coSigners) : '0x',
  ])
}

/** Refuse terms with a limit that this version cannot encode: omitting it silently would drop the limit. */
function requireSectionsOf(terms: CageTerms): void {
  const sections: readonly Section[] = layouts[terms.version].sections
  const lost = layouts[2].sections.filter((name) => terms[name] !== undefined && !sections.includes(name))
  if (lost.length === 0) return
  throw new BardoError(`Version ${terms.version} Cage terms have no section for ${lost.join(', ')}.`, {
    code: 'TERMS_MALFORMED',
    details: [`sections of version ${terms.version}: ${sections.join(', ')}`],
    remedy: 'Encode the terms as version 2, for the version 2 enforcer.',
    docsPath: 'caveats.md#cage',
  })
}

/** The version in the first byte of the terms. Anything but 1 is read, and refused, as version 2. */
function announcedVersion(terms: Digits): RulesVersion {
  return smallAt(terms, 0, 1) === 1 ? 1 : 2
}

const readers = {
  1: remember((terms: Digits) => readAs(terms, 1)),
  2: remember((terms: Digits) => readAs(terms, 2)),
} as const

/**
 * Refuses terms of another version, or of another length than their header implies.
 *
 * @param rules - the version of the enforcer. Default: the version in the terms.
 */
export function readCageTerms(terms: Digits, rules: RulesVersion = announcedVersion(terms)): CageTerms {
  return readers[rules](terms)
}

function readAs(terms: Digits, version: RulesVersion): CageTerms {
  const places = requireWellFormed(terms, version)
  const { head, extrasSize } = layouts[version]
  // Three words follow version and flags; the last two hold the permissions and the limits.
  const [rights, limits] = [head - 64, head - 32]
  return {
    version,
    golem: hexAt(terms, 1 + extrasSize, 32),
    start: smallAt(terms, rights, 5),
    end: smallAt(terms, rights + 5, 5),
    classes: smallAt(terms, rights + 10, 2),
    methods: smallAt(terms, rights + 12, 3),
    pairs: bigAt(terms, rights + 15, 8),
    graceSeconds: smallAt(terms, rights + 23, 4),
    mood: moodAt(terms, rights + 27),
    restricted: smallAt(terms, rights + 30, 2),
    dayCents: bigAt(terms, limits, 4),
    slippageBps: smallAt(terms, limits + 4, 2),
    spreadBps: smallAt(terms, limits + 6, 2),
    cadenceSeconds: smallAt(terms, limits + 8, 4),
    calls: smallAt(terms, limits + 12, 4),
    dollarsByPhase: [16, 19, 22, 25, 28].map((place) =>
      smallAt(terms, limits + place, 3),
    ) as unknown as SizesByPhase,
    settlement: smallAt(terms, limits + 31, 1),
    mandate: readMandate(terms, head),
    ...sectionsOf(terms, places),
  }
}

function sectionsOf(terms: Digits, places: Places) {
  const { sequencer, nav, life, royalty, constitution, gas, totals, floors, coSigners } = places
  return {
    ...(sequencer !== undefined && { sequencer: packedAddressAt(terms, sequencer) }),
    ...(nav !== undefined && {
      nav: {
        vault: packedAddressAt(terms, nav),
        bps: smallAt(terms, nav + 20, 2),
        capCents: bigAt(terms, nav + 22, 5),
      },
    }),
    ...(life !== undefined && {
      life: {
        allowedCents: bigAt(terms, life, 5),
        born: smallAt(terms, life + 5, 5),
        lifespanSeconds: smallAt(terms, life + 10, 4),
      },
    }),
    ...(royalty !== undefined && {
      royalty: { author: packedAddressAt(terms, royalty), bps: smallAt(terms, royalty + 20, 2) },
    }),
    ...(constitution !== undefined && { constitution: hexAt(terms, constitution, 32) }),
    ...(gas !== undefined && { gas: { microEtherPerDay: bigAt(terms, gas, 4) } }),
    ...(totals !== undefined && {
      totals: entriesAt(terms, 'totals', totals, (at) => ({
        periodSeconds: smallAt(terms, at, 4),
        cents: bigAt(terms, at + 4, 4),
      })),
    }),
    ...(floors !== undefined && {
      floors: entriesAt(terms, 'floors', floors, (at) => ({
        vault: packedAddressAt(terms, at),
        floor: bigAt(terms, at + 20, 16),
      })),
    }),
    ...(coSigners !== undefined && { coSigners: coSignersAt(terms, coSigners) }),
  }
}

function entriesAt<Entry>(
  terms: Digits,
  section: 'totals' | 'floors',
  start: number,
  read: (at: number) => Entry,
): readonly Entry[] {
  const { head, entry } = sectionSizes[section]
  return Array.from({ length: smallAt(terms, start, 1) }, (_, index) => read(start + head + entry * index))
}

/** Refuses bits and numbers that have no meaning, as `beforeHook` does after it checked the co-signers. */
export function requireKnown(terms: Digits, decoded: CageTerms): void {
  const { version, dayCents, slippageBps, spreadBps, settlement, mandate, gas, totals, floors } = decoded
  const { head } = layouts[version]
  const [rights, limits] = [loadWord(terms, head - 64), loadWord(terms, head - 32)]
  if ((rights & unknownRights(version)) !== 0n) refuse('TermsUnknown', rights)
  if (dayCents > maxBudgetCents || slippageBps > 10_000 || spreadBps > 10_000) refuse('TermsUnknown', limits)
  if (settlement >= mandate.assets.length && settlement !== noSettlement) refuse('TermsUnknown', limits)
  if (gas && (gas.microEtherPerDay === 0n || gas.microEtherPerDay > maxBudgetCents))
    refuse('TermsUnknown', gas.microEtherPerDay)
  if (totals) requireTotals(totals)
  if (floors) requireFloors(floors)
}

function unknownRights(version: RulesVersion): bigint {
  const unknownClasses = BigInt(0xffff ^ knownClasses(version))
  return (unknownClasses << 160n) | (BigInt(0xffffff ^ allMethods) << 136n) | unknownClasses
}

/**
 * Stricter than the enforcer: also refuses fields that the enforcer reads only when an execution needs them.
 */
export function readKnownCageTerms(terms: Digits, rules?: RulesVersion): CageTerms {
  const decoded = readCageTerms(terms, rules)
  requireKnown(terms, decoded)
  if (decoded.nav) requireBps(decoded.nav.bps)
  if (decoded.royalty) requireBps(decoded.royalty.bps)
  if (decoded.coSigners) {
    requireThreshold(decoded.coSigners)
    requireAscending(decoded.coSigners)
  }
  return decoded
}

/** The offset of each section that is present. */
type Places = { readonly [Name in Section]?: number }

function requireWellFormed(terms: Digits, version: RulesVersion): Places {
  const { head, extrasSize } = layouts[version]
  const length = lengthOf(terms)
  if (length < head + mandateHead) malformed(0, 0, length, head + mandateHead)
  const [announced, extras] = [smallAt(terms, 0, 1), smallAt(terms, 1, extrasSize)]
  const { places, end } = placesOf(terms, version, extras, head + mandateSize(terms, head, version))
  if (announced !== version || length !== end) malformed(announced, extras, length, end)
  return places
}

function placesOf(terms: Digits, version: RulesVersion, extras: number, start: number) {
  const sections: readonly Section[] = layouts[version].sections
  const [announced, length] = [smallAt(terms, 0, 1), lengthOf(terms)]
  const isKnown = extras < 1 << sections.length
  // Version 2 checks the flag bits first; version 1 checks the count of co-signers first.
  if (version === 2 && !isKnown) malformed(announced, extras, length, start)
  const places: { [Name in Section]?: number } = {}
  let end = start
  for (const [place, name] of sections.entries()) {
    if (((extras >> place) & 1) === 0) continue
    places[name] = end
    const size = sectionSizes[name]
    if (typeof size === 'number') {
      end += size
      continue
    }
    // A count past the end would be read from bytes that the redeemer appends.
    if (length < end + size.head) malformed(version === 1 ? 1 : announced, extras, length, end + size.head)
    end += size.head + size.entry * smallAt(terms, end + size.head - 1, 1)
  }
  if (!isKnown) malformed(announced, extras, length, end)
  return { places, end }
}

function malformed(version: number, extras: number, length: number, expected: number): never {
  return refuse('CageTermsMalformed', BigInt(version), BigInt(extras), BigInt(length), BigInt(expected))
}
