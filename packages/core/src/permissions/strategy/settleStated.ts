import type { ActionClass } from '../../caveats/execution/actionClass.ts'
import type { Mood } from '../../caveats/measure/vitalSigns.ts'
import type { Evidence, PlanSections, SizeShares } from '../permissionPlan.ts'
import {
  defaultMood,
  floorShareBps,
  gasDayMicroEther,
  openingClasses,
  stableSizeShare,
} from '../planLimits.ts'
import type { Outcome } from './readSentence.ts'
import type { StatedBound } from './readStatedBounds.ts'

/** The sections that sentences state, and the sentences; a default has none. */
export type SettledSections = {
  readonly sections: PlanSections
  /** The names of publishing contracts. */
  readonly publishers: readonly string[]
  readonly because: readonly { readonly permission: string; readonly from: readonly Evidence[] }[]
}

type Tell = (from: Evidence, question: string, outcome: Outcome) => void

/** Bounds that no mood violates: the fields of the terms at their ends. */
const anyMood: Mood = { minPleasure: -128, maxArousal: 127, minDominance: -128 }

/** Combines the stated bounds with the defaults. Of several numbers, the narrowest counts. */
export function settleStated(
  stated: readonly StatedBound[],
  granted: { readonly classes: readonly ActionClass[]; readonly hasVault: boolean },
  tell: Tell,
): SettledSections {
  const of = <Type extends StatedBound['type']>(type: Type) =>
    stated.filter((bound): bound is Extract<StatedBound, { type: Type }> => bound.type === type)
  const because: { permission: string; from: readonly Evidence[] }[] = []
  const explain = (permission: string, bounds: readonly StatedBound[]) =>
    because.push({ permission, from: bounds.map(({ from }) => from) })

  const mood = moodOf(of('mood'), of('anyMood').length > 0, granted.classes)
  if (mood) explain('mood', of('mood'))
  else if (of('anyMood').length > 0) explain('anyMood', of('anyMood'))
  const floors = of('floor').filter(({ bps, isPlain }) => isPlain || BigInt(bps) > floorShareBps)
  const [floor] = floors.toSorted((a, b) => b.bps - a.bps)
  if (floor && !granted.hasVault)
    tell(floor.from, 'The floor of which vault? The strategy uses none.', 'notSigned')
  else if (floor) explain('floor', [floor])
  const shares = of('sizeShare')
  if (shares.length > 0) explain('sizeShares', shares)
  const [gas] = of('gas').toSorted((a, b) => (a.microEtherPerDay < b.microEtherPerDay ? -1 : 1))
  const microEtherPerDay = gas?.microEtherPerDay ?? gasDayMicroEther
  explain('gas', gas ? [gas] : [])
  const [sale, ...others] = of('sale')
  const isOne = sale && others.every(({ author, bps }) => author === sale.author && bps === sale.bps)
  if (sale && !isOne)
    tell(sale.from, 'The strategy names two authors or shares. No sale was granted.', 'notGranted')
  else if (sale) explain('sale', [sale])
  const [forbids] = of('noPublish')
  const wanted = of('publish')
  const [first] = wanted
  if (first && forbids)
    tell(first.from, 'Another sentence forbids publishing. It was not granted.', 'notGranted')
  const published = forbids ? [] : wanted
  const publishers = [...new Set(published.map(({ name }) => name))].sort()
  if (published.length > 0) explain('class publish', published)
  return {
    publishers,
    sections: {
      ...(mood && { mood }),
      ...(floor && granted.hasVault && { floorBps: floor.bps }),
      ...(shares.length > 0 && { sizeShares: sharesOf(shares) }),
      ...(microEtherPerDay > 0n && { gas: { microEtherPerDay, ...(!gas && { isDefault: true as const }) } }),
      ...(sale && isOne && { sale: { author: sale.author, bps: sale.bps } }),
    },
    because,
  }
}

function moodOf(
  stated: readonly Extract<StatedBound, { type: 'mood' }>[],
  isAny: boolean,
  granted: readonly ActionClass[],
): PlanSections['mood'] {
  const classes = openingClasses.filter((name) => granted.includes(name))
  if (classes.length === 0 || (isAny && stated.length === 0)) return undefined
  const base = isAny ? anyMood : defaultMood
  const most = (axis: 'arousal', fallback: number) => {
    const values = stated.filter((one) => one.axis === axis && (one.isPlain || one.value < fallback))
    return values.length === 0 ? fallback : Math.min(...values.map(({ value }) => value))
  }
  const least = (axis: 'pleasure' | 'dominance', fallback: number) => {
    const values = stated.filter((one) => one.axis === axis && (one.isPlain || one.value > fallback))
    return values.length === 0 ? fallback : Math.max(...values.map(({ value }) => value))
  }
  const bounds = {
    minPleasure: least('pleasure', base.minPleasure),
    maxArousal: most('arousal', base.maxArousal),
    minDominance: least('dominance', base.minDominance),
  }
  return { bounds, classes }
}

/** Stable positions are two thirds of Thriving ones, and later phases only close: no share limits them. */
function sharesOf(stated: readonly Extract<StatedBound, { type: 'sizeShare' }>[]): SizeShares {
  const least = (phase: number | undefined) => {
    const all = stated.filter((one) => one.phase === phase).map(({ bps }) => bps)
    return all.length === 0 ? undefined : Math.min(...all)
  }
  const general = least(undefined)
  const thriving = smaller(least(0), general)
  const derived =
    thriving === undefined
      ? undefined
      : Number((BigInt(thriving) * stableSizeShare.numerator) / stableSizeShare.denominator)
  const stable = least(1) === undefined ? derived : smaller(least(1), general)
  return { bps: [thriving, stable, least(2), least(3), undefined] }
}

function smaller(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return Math.min(one, other)
}
