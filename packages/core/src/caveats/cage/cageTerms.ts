import { type Address, concat, type Hex } from 'viem'
import { moodAt, moodFields } from '../emotionalState.ts'
import { allClasses } from '../execution/actionClass.ts'
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
import { maxBudgetCents } from '../measure/rollingBudget.ts'
import type { Share } from '../measure/royalty.ts'
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

/** Most whole dollars in one execution, for each phase from Thriving to Terminal; 0 is nothing. */
export type SizesByPhase = readonly [number, number, number, number, number]

/** The terms of a Cage. */
export type CageTerms = {
  /** The Golem's id, which is also the lineage that budgets belong to. */
  readonly golem: Hex
  /** Unix seconds, both inclusive. */
  readonly start: number
  readonly end: number
  /** Bits of the allowed classes. */
  readonly classes: number
  /** Bits of the allowed methods. */
  readonly methods: number
  /** Allowed swaps: bit 8 × from + to, by the assets' places. */
  readonly pairs: bigint
  /** Dead-man's switch; 0 for none. */
  readonly graceSeconds: number
  readonly mood: Mood
  /** Bits of the classes that need that mood; 0 for none. */
  readonly restricted: number
  /** Most that leaves in any 24 hours, below 2^28. */
  readonly dayCents: bigint
  readonly slippageBps: number
  readonly spreadBps: number
  /** Least seconds between two executions; 0 for none. */
  readonly cadenceSeconds: number
  /** Most executions ever; 0 for no such bound. */
  readonly calls: number
  readonly dollarsByPhase: SizesByPhase
  /** The place of the asset that unwinding goes into; 255 for none. */
  readonly settlement: number
  readonly mandate: Mandate
  /** The rollup's sequencer feed. */
  readonly sequencer?: Address | undefined
  readonly nav?: NavBound | undefined
  readonly life?: LifeBudget | undefined
  readonly royalty?: Share | undefined
  /** The hash of a constitution. */
  readonly constitution?: Hex | undefined
  readonly coSigners?: CoSigners | undefined
}

/** Whether a swap between two places is allowed. */
export function hasPair(pairs: bigint, from: number, to: number): boolean {
  return from >= 0 && to >= 0 && ((pairs >> BigInt(8 * from + to)) & 1n) === 1n
}

const cageHead = 98
const sections = { sequencer: 1, nav: 2, life: 4, royalty: 8, constitution: 16, coSigners: 32 } as const
const sectionSizes: readonly (readonly [bit: number, size: number])[] = [
  [sections.sequencer, 20],
  [sections.nav, 27],
  [sections.life, 14],
  [sections.royalty, 22],
  [sections.constitution, 32],
]
const knownSections = 63
const unknownRights =
  (BigInt(0xffff ^ allClasses) << 160n) |
  (BigInt(0xffffff ^ allMethods) << 136n) |
  BigInt(0xffff ^ allClasses)

export function encodeCageTerms(terms: CageTerms): Hex {
  const { mood, sequencer, nav, life, royalty, constitution, coSigners } = terms
  const extras = Object.entries(sections)
    .filter(([name]) => terms[name as keyof typeof sections] !== undefined)
    .reduce((bits, [, bit]) => bits | bit, 0)
  return concat([
    packed([1, 1], [1, extras], [32, terms.golem], [5, terms.start], [5, terms.end]),
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
    coSigners ? encodeCoSigners(coSigners) : '0x',
  ])
}

/** Refuses what is not of version 1, or not of the one length that it announces. */
export const readCageTerms = remember((terms: Digits): CageTerms => {
  requireWellFormed(terms)
  const extras = smallAt(terms, 1, 1)
  const mandateEnd = cageHead + mandateSize(terms, cageHead)
  const at = (bit: number) => ((extras & bit) === 0 ? undefined : mandateEnd + lengthBelow(extras, bit))
  return {
    golem: hexAt(terms, 2, 32),
    start: smallAt(terms, 34, 5),
    end: smallAt(terms, 39, 5),
    classes: smallAt(terms, 44, 2),
    methods: smallAt(terms, 46, 3),
    pairs: bigAt(terms, 49, 8),
    graceSeconds: smallAt(terms, 57, 4),
    mood: moodAt(terms, 61),
    restricted: smallAt(terms, 64, 2),
    dayCents: bigAt(terms, 66, 4),
    slippageBps: smallAt(terms, 70, 2),
    spreadBps: smallAt(terms, 72, 2),
    cadenceSeconds: smallAt(terms, 74, 4),
    calls: smallAt(terms, 78, 4),
    dollarsByPhase: [82, 85, 88, 91, 94].map((place) => smallAt(terms, place, 3)) as unknown as SizesByPhase,
    settlement: smallAt(terms, 97, 1),
    mandate: readMandate(terms, cageHead),
    ...sectionsOf(terms, at),
  }
})

function sectionsOf(terms: Digits, at: (bit: number) => number | undefined) {
  const [sequencer, nav, life] = [at(sections.sequencer), at(sections.nav), at(sections.life)]
  const [royalty, constitution, coSigners] = [
    at(sections.royalty),
    at(sections.constitution),
    at(sections.coSigners),
  ]
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
    ...(coSigners !== undefined && { coSigners: coSignersAt(terms, coSigners) }),
  }
}

/** Refuses bits and numbers without a meaning, as `beforeHook` does once the co-signers have been heard. */
export function requireKnown(
  terms: Digits,
  { dayCents, slippageBps, spreadBps, settlement, mandate }: CageTerms,
): void {
  const [rights, limits] = [loadWord(terms, 34), loadWord(terms, 66)]
  if ((rights & unknownRights) !== 0n) refuse('TermsUnknown', rights)
  if (dayCents > maxBudgetCents || slippageBps > 10_000 || spreadBps > 10_000) refuse('TermsUnknown', limits)
  if (settlement >= mandate.assets.length && settlement !== noSettlement) refuse('TermsUnknown', limits)
}

/** Terms that no execution would be refused for: also what the enforcer sees only where it matters. */
export function readKnownCageTerms(terms: Digits): CageTerms {
  const known = readCageTerms(terms)
  requireKnown(terms, known)
  if (known.nav) requireBps(known.nav.bps)
  if (known.royalty) requireBps(known.royalty.bps)
  if (known.coSigners) {
    requireThreshold(known.coSigners)
    requireAscending(known.coSigners)
  }
  return known
}

function requireWellFormed(terms: Digits): void {
  const length = lengthOf(terms)
  if (length < cageHead + mandateHead) malformed(0, 0, length, cageHead + mandateHead)
  const [version, extras] = [smallAt(terms, 0, 1), smallAt(terms, 1, 1)]
  let expected = cageHead + mandateSize(terms, cageHead)
  if (extras !== 0) {
    expected += lengthBelow(extras, sections.coSigners)
    if ((extras & sections.coSigners) !== 0) {
      if (length < expected + 2) malformed(1, extras, length, expected + 2)
      expected += 2 + 20 * smallAt(terms, expected + 1, 1)
    }
    if (extras > knownSections) malformed(version, extras, length, expected)
  }
  if (version !== 1 || length !== expected) malformed(version, extras, length, expected)
}

/** How long the sections are that come before the one of this bit. */
function lengthBelow(extras: number, bit: number): number {
  return sectionSizes.reduce((sum, [here, size]) => ((extras & (bit - 1) & here) === 0 ? sum : sum + size), 0)
}

function malformed(version: number, extras: number, length: number, expected: number): never {
  return refuse('CageTermsMalformed', BigInt(version), BigInt(extras), BigInt(length), BigInt(expected))
}
