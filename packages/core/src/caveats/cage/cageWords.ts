import { formatDuration } from '../../format/duration.ts'
import { formatShortDollars } from '../../format/money.ts'
import { formatCount, formatNumber } from '../../format/number.ts'
import { isoTime } from '../../format/time.ts'
import { phaseNames } from '../../phase/phase.ts'
import type { Names } from '../caveatKind.ts'
import { classesIn, moodOf } from '../emotionalState.ts'
import { classesAllowedIn, swapClasses } from '../execution/actionClass.ts'
import { lifeOf } from '../replicantBudget.ts'
import { targetKinds } from '../terms/mandate.ts'
import { listed, nameOf, percentOf, shortId } from '../terms/words.ts'
import { type CageTerms, hasPair } from './cageTerms.ts'
import { mostInADay } from './mostInADay.ts'
import { gasOf, leavingOf, totalOf } from './sectionWords.ts'

/** All limits of a Cage, in one sentence for its owner. */
export function describeCage(terms: CageTerms, names: Names): string {
  return [...money(terms), ...work(terms, names), ...life(terms), ...sections(terms, names)]
    .filter((part) => part !== '')
    .join('; ')
}

/** What a Cage allows in each phase; undefined if the owner signed the same size for all phases. */
export function cagePhases({ classes, dollarsByPhase }: CageTerms): readonly string[] | undefined {
  if (dollarsByPhase.every((dollars) => dollars === dollarsByPhase[0])) return undefined
  return dollarsByPhase.map((dollars, phase) => {
    const open = classes & classesAllowedIn(phase)
    return open === 0 ? 'nothing' : `${classesIn(open)}, at most $${formatNumber(dollars)} per action`
  })
}

function money(terms: CageTerms): string[] {
  const { classes, slippageBps, dollarsByPhase } = terms
  const sizeCents = BigInt(Math.max(...dollarsByPhase)) * 100n
  const [first] = dollarsByPhase
  const sizes = dollarsByPhase.every((dollars) => dollars === first)
    ? `$${formatNumber(first)} per action`
    : dollarsByPhase
        .map((dollars, phase) => `$${formatNumber(dollars)} per action when ${phaseNames[phase]}`)
        .join(', ')
  return [
    `at most ${formatShortDollars(mostInADay({ ...terms, gas: undefined, sizeCents }))} in any 24 hours${terms.gas ? ' without gas' : ''}, ${sizes}`,
    (classes & swapClasses) === 0 ? '' : `max slippage ${percentOf(slippageBps)}`,
  ]
}

function work(terms: CageTerms, names: Names): string[] {
  const { classes, mandate } = terms
  const contracts = mandate.targets
    .filter(({ kind }) => kind !== targetKinds.pool)
    .map(({ address }) => nameOf(address, names))
  const assets = listed(mandate.assets.map(({ token }) => nameOf(token, names)))
  return [
    classes === 0
      ? 'no action at all'
      : `only ${classesIn(classes)}${assets === '' ? '' : `, with ${assets}`}`,
    swaps(terms, names),
    contracts.length === 0 ? '' : `through ${listed(contracts)}`,
    mandate.payees.length === 0
      ? ''
      : `paying only ${listed(mandate.payees.map((payee) => nameOf(payee, names)))}`,
  ]
}

/** The allowed swap directions; empty if every direction is allowed. */
function swaps({ classes, pairs, mandate: { assets } }: CageTerms, names: Names): string {
  if ((classes & swapClasses) === 0) return ''
  const ways = assets.flatMap((one, from) =>
    assets.flatMap((other, to) => (from === to ? [] : [{ one, other, isOpen: hasPair(pairs, from, to) }])),
  )
  const open = ways.filter(({ isOpen }) => isOpen)
  if (open.length === ways.length) return ''
  if (open.length === 0) return 'no swaps'
  return `swapping only ${listed(open.map(({ one, other }) => `${nameOf(one.token, names)} to ${nameOf(other.token, names)}`))}`
}

function life({
  golem,
  start,
  end,
  graceSeconds,
  cadenceSeconds,
  calls,
  restricted,
  mood,
}: CageTerms): string[] {
  return [
    `from ${isoTime(start)} to ${isoTime(end)}, only while the Golem ${shortId(golem)} is active on chain, as its phase allows`,
    graceSeconds === 0
      ? ''
      : `after every ${formatDuration(graceSeconds)} without a heartbeat, the next stricter phase applies`,
    cadenceSeconds === 0 ? '' : `at most one execution every ${formatDuration(cadenceSeconds)}`,
    calls === 0 ? '' : `${formatCount(calls, 'execution')} in all`,
    restricted === 0 ? '' : `${classesIn(restricted)} only with ${moodOf(mood)}`,
  ]
}

function sections(terms: CageTerms, names: Names): string[] {
  const { sequencer, nav, life: budget, royalty, constitution, gas, coSigners } = terms
  const { totals = [], floors = [] } = terms
  return [
    ...totals.map(totalOf),
    gas ? `draws at most ${gasOf(gas, names)} for gas in any 24 hours` : '',
    ...floors.map((floor) => leavingOf(floor, names)),
    sequencer ? 'nothing while the rollup’s sequencer is down' : '',
    nav
      ? `per action at most ${formatShortDollars(nav.capCents)} and ${percentOf(nav.bps)} of the assets in ${nameOf(nav.vault, names)}`
      : '',
    budget ? lifeOf(budget) : '',
    royalty ? `${nameOf(royalty.author, names)} gets ${percentOf(royalty.bps)} of every sale` : '',
    constitution ? `within the constitution ${shortId(constitution)}` : '',
    coSigners
      ? `${coSigners.threshold} of ${listed(coSigners.keys.map((key) => nameOf(key, names)))} sign every execution`
      : '',
  ]
}
