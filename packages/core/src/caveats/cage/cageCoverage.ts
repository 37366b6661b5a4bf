import type { Coverage } from '../caveatKind.ts'
import { classesIn, fewerRestricted, laxerMood } from '../emotionalState.ts'
import { methodNames } from '../execution/methods.ts'
import { smallerShare } from '../knowledgeRoyalty.ts'
import { otherConstitution } from '../policyCage.ts'
import { widerLife } from '../replicantBudget.ts'
import {
  above,
  below,
  coverage,
  type Excess,
  laxerGrace,
  otherLineage,
  widerMandate,
} from '../terms/coverage.ts'
import { assetOf, plainMandate, settlementToken } from '../terms/mandate.ts'
import { periodOf } from '../terms/words.ts'
import { fewerSigners } from '../threshold.ts'
import { widerNav } from '../vaultNAV.ts'
import { type CageTerms, hasPair } from './cageTerms.ts'

/** Why the child's terms allow more than the parent's in one dimension. */
type ExcessOf = (child: CageTerms, parent: CageTerms) => Excess

/** One check per field: if none reports an excess, the child is covered. */
export const cageExcesses: Readonly<Record<keyof CageTerms, ExcessOf>> = {
  version: otherVersion,
  golem: (child, parent) => otherLineage(child.golem, parent.golem),
  start: (child, parent) => below('start', child.start, parent.start),
  end: (child, parent) => above('end', child.end, parent.end),
  classes: (child, parent) => moreClasses(child.classes, parent.classes),
  methods: (child, parent) => moreMethods(child.methods, parent.methods),
  graceSeconds: (child, parent) => laxerGrace(child.graceSeconds, parent.graceSeconds),
  restricted: (child, parent) => fewerRestricted(child.restricted, parent.restricted),
  mood: (child, parent) => parent.restricted !== 0 && laxerMood(child.mood, parent.mood),
  dayCents: (child, parent) => above('cents in 24 hours', child.dayCents, parent.dayCents),
  slippageBps: (child, parent) => above('slippage in basis points', child.slippageBps, parent.slippageBps),
  spreadBps: (child, parent) => above('spread in basis points', child.spreadBps, parent.spreadBps),
  cadenceSeconds: (child, parent) => below('cadence in seconds', child.cadenceSeconds, parent.cadenceSeconds),
  calls: (child, parent) => moreCalls(child.calls, parent.calls),
  dollarsByPhase: largerSizes,
  settlement: otherSettlement,
  mandate: (child, parent) =>
    widerMandate(child.mandate, parent.mandate, { priced: true, sameAssets: mustSeeAll(parent) }) ||
    payeeThatDrawsGas(child, parent),
  pairs: morePairs,
  sequencer: (child, parent) => section('sequencer', child.sequencer, parent.sequencer, otherFeed),
  nav: (child, parent) => section('vault share', child.nav, parent.nav, widerNav),
  life: (child, parent) => section('lifetime budget', child.life, parent.life, widerLife),
  royalty: (child, parent) => section('royalty', child.royalty, parent.royalty, smallerShare),
  constitution: (child, parent) =>
    section('constitution', child.constitution, parent.constitution, otherConstitution),
  gas: moreGas,
  totals: largerTotals,
  floors: lowerFloors,
  coSigners: (child, parent) => section('co-signers', child.coSigners, parent.coSigners, fewerSigners),
}

/** Whether a child's Cage allows nothing that the parent's refuses. */
export function cageCoverage(parent: CageTerms, child: CageTerms): Coverage {
  return coverage(...Object.values(cageExcesses).map((excessOf) => excessOf(child, parent)))
}

/** Each version keeps its budgets in its own enforcer contract. */
function otherVersion(child: CageTerms, parent: CageTerms): Excess {
  return (
    child.version !== parent.version &&
    `version: ${child.version} uses another contract than ${parent.version}: earlier spending would not count`
  )
}

/**
 * Gas is a permission, not a limit: a child may omit it. The redeemer is assumed not to be a contract of the
 * parent.
 */
function moreGas(child: CageTerms, parent: CageTerms): Excess {
  if (!child.gas) return undefined
  if (!parent.gas) return `gas: ${child.gas.microEtherPerDay} millionths a day; the parent allows none`
  return above(
    'gas in millionths of the native currency a day',
    child.gas.microEtherPerDay,
    parent.gas.microEtherPerDay,
  )
}

/**
 * If the parent lists the redeemer as a payee, a gas draw is a payment there, subject to its size and
 * cadence.
 */
function payeeThatDrawsGas(child: CageTerms, parent: CageTerms): Excess {
  if (!child.gas) return undefined
  const { payees } = plainMandate(child.mandate)
  const payee = plainMandate(parent.mandate).payees.find((each) => !payees.includes(each))
  return payee !== undefined && `payees: ${payee} is a payee of the parent and could draw gas here instead`
}

/** Each period has its own row, so a limit on one period does not replace the parent's limit on another. */
function largerTotals({ totals = [] }: CageTerms, parent: CageTerms): Excess {
  for (const { periodSeconds, cents } of parent.totals ?? []) {
    const own = totals.find((total) => total.periodSeconds === periodSeconds)
    const excess = own
      ? above(`cents in ${periodOf(periodSeconds)}`, own.cents, cents)
      : `totals: none for ${periodOf(periodSeconds)}; the parent has ${cents} cents`
    if (excess) return excess
  }
  return undefined
}

function lowerFloors({ floors = [] }: CageTerms, parent: CageTerms): Excess {
  for (const { vault, floor } of parent.floors ?? []) {
    const own = floors.find((each) => each.vault.toLowerCase() === vault.toLowerCase())
    const excess = own
      ? below(`floor of ${vault}`, own.floor, floor)
      : `floors: none for ${vault}; the parent has ${floor}`
    if (excess) return excess
  }
  return undefined
}

/** Portfolio shares and royalties are measured over all assets together. */
function mustSeeAll({ constitution, royalty }: CageTerms): boolean {
  return constitution !== undefined || royalty !== undefined
}

function moreClasses(child: number, parent: number): Excess {
  const more = child & ~parent
  return more !== 0 && `classes: ${classesIn(more)} is not among the parent's`
}

function moreMethods(child: number, parent: number): Excess {
  const more = methodNames.filter((_, bit) => ((child & ~parent) >> bit) & 1)
  return more.length !== 0 && `methods: ${more.join(', ')} is not among the parent's`
}

function moreCalls(child: number, parent: number): Excess {
  if (parent === 0) return undefined
  return child === 0 ? `calls: no limit; the parent has ${parent}` : above('calls', child, parent)
}

/**
 * A different dead-man's switch can move the child further along the phases than the parent, never less far.
 */
function largerSizes(child: CageTerms, parent: CageTerms): Excess {
  const sameClock = child.graceSeconds === parent.graceSeconds
  for (const [phase, dollars] of child.dollarsByPhase.entries()) {
    for (const [earlier, most] of parent.dollarsByPhase.entries()) {
      if (earlier > phase || (sameClock && earlier !== phase)) continue
      const excess = above(`dollars per action in phase ${phase}`, dollars, most)
      if (excess) return excess
    }
  }
  return undefined
}

/** The two would classify the same swap differently: as unwinding in one, as a swap in the other. */
function otherSettlement(child: CageTerms, parent: CageTerms): Excess {
  const own = settlementToken(child.mandate, child.settlement)?.toLowerCase()
  const other = settlementToken(parent.mandate, parent.settlement)?.toLowerCase()
  return own !== other && `settlement: ${own ?? 'none'} is not ${other ?? 'none'}`
}

/** Asset positions differ between mandates; tokens do not. */
function morePairs(child: CageTerms, parent: CageTerms): Excess {
  const parentMandate = plainMandate(parent.mandate)
  const tokens = plainMandate(child.mandate).assets.map(({ token }) => token)
  for (const [from, tokenFrom] of tokens.entries()) {
    for (const [to, tokenTo] of tokens.entries()) {
      if (!hasPair(child.pairs, from, to)) continue
      if (hasPair(parent.pairs, assetOf(parentMandate, tokenFrom), assetOf(parentMandate, tokenTo))) continue
      return `pairs: ${tokenFrom} to ${tokenTo} is not among the parent's`
    }
  }
  return undefined
}

/** The child must have every section that the parent has. */
function section<Bound>(
  what: string,
  child: Bound | undefined,
  parent: Bound | undefined,
  excessOf: (child: Bound, parent: Bound) => Excess,
): Excess {
  if (parent === undefined) return undefined
  return child === undefined ? `${what}: none; the parent has one` : excessOf(child, parent)
}

function otherFeed(child: string, parent: string): Excess {
  return child.toLowerCase() !== parent.toLowerCase() && `sequencer: ${child} is not ${parent}`
}
