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
import { fewerSigners } from '../threshold.ts'
import { widerNav } from '../vaultNAV.ts'
import { type CageTerms, hasPair } from './cageTerms.ts'

/** Whether a child's Cage allows nothing that the parent's would refuse. */
export function cageCoverage(parent: CageTerms, child: CageTerms): Coverage {
  return coverage(
    otherLineage(child.golem, parent.golem),
    below('start', child.start, parent.start),
    above('end', child.end, parent.end),
    moreClasses(child.classes, parent.classes),
    moreMethods(child.methods, parent.methods),
    laxerGrace(child.graceSeconds, parent.graceSeconds),
    fewerRestricted(child.restricted, parent.restricted),
    parent.restricted !== 0 && laxerMood(child.mood, parent.mood),
    above('cents in 24 hours', child.dayCents, parent.dayCents),
    above('slippage in basis points', child.slippageBps, parent.slippageBps),
    above('spread in basis points', child.spreadBps, parent.spreadBps),
    below('cadence in seconds', child.cadenceSeconds, parent.cadenceSeconds),
    moreCalls(child.calls, parent.calls),
    largerSizes(child, parent),
    otherSettlement(child, parent),
    widerMandate(child.mandate, parent.mandate, { priced: true, sameAssets: mustSeeAll(parent) }),
    morePairs(child, parent),
    widerSections(child, parent),
  )
}

/** A portfolio's shares, and a share of every sale, are of all assets together. */
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
  return child === 0 ? `calls: no bound where the parent has ${parent}` : above('calls', child, parent)
}

/** With another dead-man's switch the child may be phases further than the parent, never less far. */
function largerSizes(child: CageTerms, parent: CageTerms): Excess {
  const sameClock = child.graceSeconds === parent.graceSeconds
  for (const [phase, dollars] of child.dollarsByPhase.entries()) {
    for (const [earlier, most] of parent.dollarsByPhase.entries()) {
      if (earlier > phase || (sameClock && earlier !== phase)) continue
      const excess = above(`dollars at once in phase ${phase}`, dollars, most)
      if (excess) return excess
    }
  }
  return undefined
}

/** What is called unwinding in the one would be called a swap in the other. */
function otherSettlement(child: CageTerms, parent: CageTerms): Excess {
  const own = settlementToken(child.mandate, child.settlement)?.toLowerCase()
  const other = settlementToken(parent.mandate, parent.settlement)?.toLowerCase()
  return own !== other && `settlement: ${own ?? 'none'} is not ${other ?? 'none'}`
}

/** Places differ between mandates; tokens do not. */
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

function widerSections(child: CageTerms, parent: CageTerms): Excess {
  return (
    section('sequencer', child.sequencer, parent.sequencer, otherFeed) ||
    section('vault share', child.nav, parent.nav, widerNav) ||
    section('lifetime budget', child.life, parent.life, widerLife) ||
    section('royalty', child.royalty, parent.royalty, smallerShare) ||
    section('constitution', child.constitution, parent.constitution, otherConstitution) ||
    section('co-signers', child.coSigners, parent.coSigners, fewerSigners)
  )
}

/** A section that the parent has, the child must have too. */
function section<Bound>(
  what: string,
  child: Bound | undefined,
  parent: Bound | undefined,
  excessOf: (child: Bound, parent: Bound) => Excess,
): Excess {
  if (parent === undefined) return undefined
  return child === undefined ? `${what}: none where the parent has one` : excessOf(child, parent)
}

function otherFeed(child: string, parent: string): Excess {
  return child.toLowerCase() !== parent.toLowerCase() && `sequencer: ${child} is not ${parent}`
}
