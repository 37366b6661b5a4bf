import { concat, type Hex } from 'viem'
import { boundKind } from './boundKind.ts'
import type { RulesVersion } from './caveatKind.ts'
import { classNames, knownClasses, swapClasses } from './execution/actionClass.ts'
import { type Digits, digitsOf, hexAt, smallAt } from './execution/digits.ts'
import { planBefore } from './measure/flows.ts'
import { planReads, readable } from './measure/reads.ts'
import { type Mood, requireAlive, requireMood } from './measure/vitalSigns.ts'
import { above, below, coverage, type Excess, otherGolem, widerMandate } from './terms/coverage.ts'
import {
  encodeMandate,
  type Mandate,
  readTrailingMandate,
  requireSettlement,
  settlementToken,
} from './terms/mandate.ts'
import { checkedTerms, decodedTerms, type Field, packed, signed8, signedByte } from './terms/packed.ts'
import { listed, shortId } from './terms/words.ts'
import { dependencyOf } from './verdict/dependencies.ts'
import { evaluateManagedHooks } from './verdict/evaluateHooks.ts'
import { refuse } from './verdict/refuse.ts'

export type EmotionalStateTerms = {
  readonly golem: Hex
  readonly mood: Mood
  /** Bits of the classes that require that mood; at least one. */
  readonly restricted: number
  /** Index of the asset that unwinding swaps into; 255 for none. */
  readonly settlement: number
  readonly mandate: Mandate
}

const name = 'EmotionalState'
const head = 38

/** Restricted classes require a signed emotional state. */
export const emotionalState = boundKind<EmotionalStateTerms>({
  name,
  encode: ({ golem, mood, restricted, settlement, mandate }, rules) =>
    checkedTerms(
      name,
      concat([
        packed([32, golem], ...moodFields(mood)),
        packed([2, restricted], [1, settlement]),
        encodeMandate(mandate),
      ]),
      read,
      rules,
    ),
  decode: (terms, rules) => decodedTerms(name, terms, read, rules),
  covers: (parent, child) =>
    coverage(
      otherGolem(child.golem, parent.golem),
      fewerRestricted(child.restricted, parent.restricted),
      laxerMood(child.mood, parent.mood),
      otherSettlement(parent, child),
      widerMandate(child.mandate, parent.mandate, { priced: false }),
    ),
  describe: ({ golem, mood, restricted }) =>
    `${classesIn(restricted)} only while the Golem ${shortId(golem)} has ${moodOf(mood)}`,
  account: ({ mandate }) => mandate.account,
  reads: (terms, context) => {
    const decoded = readable(terms, read, context.rules)
    return decoded ? planReads(context, decoded.mandate) : []
  },
  evaluate: (terms, context) =>
    evaluateManagedHooks(context, (chain) => {
      const { golem, mood, restricted, settlement, mandate } = read(digitsOf(terms), context.rules)
      const { classes } = planBefore(context, chain, mandate, settlement)
      const signs = requireAlive(chain, dependencyOf(context, chain, 'vitals'), golem)
      if ((classes & restricted) !== 0) requireMood(signs, mood)
    }),
})

/** The classes in a bit set, in words. */
export function classesIn(bits: number): string {
  return listed(classNames.filter((_, bit) => (bits >> bit) & 1))
}

/** A mood as encoded in terms. */
export function moodFields({ minPleasure, maxArousal, minDominance }: Mood): readonly Field[] {
  return [signedByte(minPleasure), signedByte(maxArousal), signedByte(minDominance)]
}

/** A mood in words. */
export function moodOf({ minPleasure, maxArousal, minDominance }: Mood): string {
  // A mood goes from −100 to 100: a bound beyond that refuses nothing.
  const parts = [
    ...(minPleasure > -100 ? [`pleasure at least ${minPleasure}`] : []),
    ...(maxArousal < 100 ? [`arousal at most ${maxArousal}`] : []),
    ...(minDominance > -100 ? [`dominance at least ${minDominance}`] : []),
  ]
  return parts.length === 0 ? 'any mood' : listed(parts)
}

/** Why a child's mood allows what the parent's does not. */
export function laxerMood(child: Mood, parent: Mood): Excess {
  return (
    below('least pleasure', child.minPleasure, parent.minPleasure) ||
    above('most arousal', child.maxArousal, parent.maxArousal) ||
    below('least dominance', child.minDominance, parent.minDominance)
  )
}

export function fewerRestricted(child: number, parent: number): Excess {
  const free = parent & ~child
  return free !== 0 && `restricted classes: ${classesIn(free)} is no longer restricted by mood`
}

/** The class of a swap matters only if the parent restricts one of the two classes. */
function otherSettlement(parent: EmotionalStateTerms, child: EmotionalStateTerms): Excess {
  const swaps = parent.restricted & swapClasses
  if (swaps === 0 || swaps === swapClasses) return undefined
  const own = settlementToken(child.mandate, child.settlement)?.toLowerCase()
  const other = settlementToken(parent.mandate, parent.settlement)?.toLowerCase()
  return own !== other && `settlement: ${own ?? 'none'} is not ${other ?? 'none'}`
}

function read(terms: Digits, rules?: RulesVersion): EmotionalStateTerms {
  const mandate = readTrailingMandate(terms, head, rules)
  const restricted = smallAt(terms, 35, 2)
  // Terms that restrict nothing are a mistake, and so are classes that do not exist.
  if (restricted === 0 || (restricted & ~knownClasses(rules)) !== 0)
    refuse('TermsUnknown', BigInt(restricted))
  const settlement = smallAt(terms, 37, 1)
  requireSettlement(mandate, settlement)
  return { golem: hexAt(terms, 0, 32), mood: moodAt(terms, 32), restricted, settlement, mandate }
}

/** Three signed bytes. */
export function moodAt(terms: Digits, start: number): Mood {
  const [minPleasure, maxArousal, minDominance] = [0, 1, 2].map((i) => signed8(smallAt(terms, start + i, 1)))
  return { minPleasure: minPleasure ?? 0, maxArousal: maxArousal ?? 0, minDominance: minDominance ?? 0 }
}
