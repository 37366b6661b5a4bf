import { formatDuration } from '../../format/duration.ts'
import { formatShortDollars } from '../../format/money.ts'
import { formatCount, formatNumber } from '../../format/number.ts'
import { isoTime } from '../../format/time.ts'
import { phaseNames } from '../../phase/phase.ts'
import type { Names } from '../caveatKind.ts'
import { classesIn, moodOf } from '../emotionalState.ts'
import { methodNames } from '../execution/methods.ts'
import { lifeOf } from '../replicantBudget.ts'
import { settlementToken } from '../terms/mandate.ts'
import { listed, nameOf, percentOf, shortId } from '../terms/words.ts'
import { type CageTerms, hasPair } from './cageTerms.ts'
import { floorOf, gasOf, totalOf } from './sectionWords.ts'

/** The label of a dimension on a screen, and its value in words. */
type Words = {
  readonly title: string
  readonly says: (terms: CageTerms, names: Names) => string
}

const none = 'none'

/** Every dimension of a Cage in words, to show a change to a person. */
export const cageDimensionWords: Readonly<Record<keyof CageTerms, Words>> = {
  version: { title: 'version of the terms', says: ({ version }) => `${version}` },
  golem: { title: 'Golem', says: ({ golem }) => shortId(golem) },
  start: { title: 'valid from', says: ({ start }) => isoTime(start) },
  end: { title: 'valid until', says: ({ end }) => isoTime(end) },
  classes: { title: 'actions', says: ({ classes }) => classesIn(classes) || none },
  methods: { title: 'methods', says: ({ methods }) => methodsIn(methods) },
  graceSeconds: {
    title: 'dead-man’s switch, per phase',
    says: ({ graceSeconds }) => timeOrNone(graceSeconds),
  },
  restricted: {
    title: 'actions restricted by mood',
    says: ({ restricted }) => classesIn(restricted) || none,
  },
  mood: { title: 'mood', says: ({ mood }) => moodOf(mood) },
  dayCents: { title: 'max in any 24 hours', says: ({ dayCents }) => formatShortDollars(dayCents) },
  slippageBps: { title: 'max slippage', says: ({ slippageBps }) => percentOf(slippageBps) },
  spreadBps: { title: 'max pool deviation', says: ({ spreadBps }) => percentOf(spreadBps) },
  cadenceSeconds: {
    title: 'min time between executions',
    says: ({ cadenceSeconds }) => timeOrNone(cadenceSeconds),
  },
  calls: {
    title: 'total executions',
    says: ({ calls }) => (calls === 0 ? 'any number' : formatNumber(calls)),
  },
  dollarsByPhase: { title: 'max per action', says: ({ dollarsByPhase }) => sizesOf(dollarsByPhase) },
  settlement: {
    title: 'settlement asset',
    says: ({ mandate, settlement }, names) => {
      const token = settlementToken(mandate, settlement)
      return token ? nameOf(token, names) : none
    },
  },
  mandate: { title: 'assets, contracts and payees', says: mandateOf },
  pairs: { title: 'swaps', says: pairsOf },
  sequencer: { title: 'rollup’s sequencer', says: ({ sequencer }) => sequencer ?? none },
  nav: {
    title: 'max share of the vault',
    says: ({ nav }, names) =>
      nav
        ? `${formatShortDollars(nav.capCents)} and ${percentOf(nav.bps)} of ${nameOf(nav.vault, names)}`
        : none,
  },
  life: { title: 'lifetime budget', says: ({ life }) => (life ? lifeOf(life) : none) },
  royalty: {
    title: 'royalty on sales',
    says: ({ royalty }, names) =>
      royalty ? `${percentOf(royalty.bps)} for ${nameOf(royalty.author, names)}` : none,
  },
  constitution: {
    title: 'constitution',
    says: ({ constitution }) => (constitution ? shortId(constitution) : none),
  },
  gas: { title: 'gas in any 24 hours', says: ({ gas }, names) => (gas ? gasOf(gas, names) : none) },
  totals: {
    title: 'limits for longer periods',
    says: ({ totals = [] }) => listed(totals.map(totalOf)) || none,
  },
  floors: {
    title: 'min return of a vault',
    says: ({ floors = [] }, names) =>
      listed(floors.map((floor) => `${nameOf(floor.vault, names)}: ${floorOf(floor, names)}`)) || none,
  },
  coSigners: {
    title: 'co-signers',
    says: ({ coSigners }, names) =>
      coSigners
        ? `${coSigners.threshold} of ${listed(coSigners.keys.map((key) => nameOf(key, names)))}`
        : none,
  },
}

function methodsIn(bits: number): string {
  return listed(methodNames.filter((_, bit) => (bits >> bit) & 1)) || none
}

function timeOrNone(seconds: number): string {
  return seconds === 0 ? none : formatDuration(seconds)
}

function sizesOf(dollars: CageTerms['dollarsByPhase']): string {
  return dollars.map((size, phase) => `$${formatNumber(size)} when ${phaseNames[phase]}`).join(', ')
}

function mandateOf({ mandate: { account, assets, targets, payees } }: CageTerms, names: Names): string {
  const prices = assets.map(({ token, feed, maxAgeSeconds }) =>
    BigInt(feed) === 0n
      ? `${nameOf(token, names)} at par`
      : `${nameOf(token, names)} priced by ${nameOf(feed, names)}, at most ${formatCount(maxAgeSeconds, 'second')} old`,
  )
  return [
    `of ${nameOf(account, names)}: ${prices.join('; ')}`,
    `through ${listed(targets.map(({ address }) => nameOf(address, names))) || none}`,
    `paying ${listed(payees.map((payee) => nameOf(payee, names))) || none}`,
  ].join(', ')
}

function pairsOf({ pairs, mandate: { assets } }: CageTerms, names: Names): string {
  const ways = assets.flatMap(({ token: one }, from) =>
    assets.flatMap(({ token: other }, to) =>
      from !== to && hasPair(pairs, from, to) ? [`${nameOf(one, names)} to ${nameOf(other, names)}`] : [],
    ),
  )
  return listed(ways) || none
}
