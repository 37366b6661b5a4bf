import { phaseNames } from '../../phase/phase.ts'
import type { Names } from '../caveatKind.ts'
import { classesIn, moodOf } from '../emotionalState.ts'
import { methodNames } from '../execution/methods.ts'
import { lifeOf } from '../replicantBudget.ts'
import { settlementToken } from '../terms/mandate.ts'
import {
  counted,
  dollarsOf,
  durationOf,
  grouped,
  isoTime,
  listed,
  nameOf,
  percentOf,
  shortId,
} from '../terms/words.ts'
import { type CageTerms, hasPair } from './cageTerms.ts'

/** What a dimension is called on a screen, and what terms say in it. */
type Words = {
  readonly title: string
  readonly says: (terms: CageTerms, names: Names) => string
}

const none = 'none'

/** Every dimension of a Cage in words, so that a change can be read. */
export const cageDimensionWords: Readonly<Record<keyof CageTerms, Words>> = {
  golem: { title: 'Golem', says: ({ golem }) => shortId(golem) },
  start: { title: 'first second', says: ({ start }) => isoTime(start) },
  end: { title: 'last second', says: ({ end }) => isoTime(end) },
  classes: { title: 'actions', says: ({ classes }) => classesIn(classes) || none },
  methods: { title: 'methods', says: ({ methods }) => methodsIn(methods) },
  graceSeconds: { title: 'silence per phase', says: ({ graceSeconds }) => timeOrNone(graceSeconds) },
  restricted: { title: 'actions that need a mood', says: ({ restricted }) => classesIn(restricted) || none },
  mood: { title: 'mood', says: ({ mood }) => moodOf(mood) },
  dayCents: { title: 'most in any 24 hours', says: ({ dayCents }) => dollarsOf(dayCents) },
  slippageBps: { title: 'most that a swap costs', says: ({ slippageBps }) => percentOf(slippageBps) },
  spreadBps: { title: 'most that a pool is off', says: ({ spreadBps }) => percentOf(spreadBps) },
  cadenceSeconds: {
    title: 'least time between executions',
    says: ({ cadenceSeconds }) => timeOrNone(cadenceSeconds),
  },
  calls: { title: 'executions in all', says: ({ calls }) => (calls === 0 ? 'any number' : grouped(calls)) },
  dollarsByPhase: { title: 'most at once', says: ({ dollarsByPhase }) => sizesOf(dollarsByPhase) },
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
    title: 'share of the vault',
    says: ({ nav }, names) =>
      nav ? `${dollarsOf(nav.capCents)} and ${percentOf(nav.bps)} of ${nameOf(nav.vault, names)}` : none,
  },
  life: { title: 'budget for life', says: ({ life }) => (life ? lifeOf(life) : none) },
  royalty: {
    title: 'share of a sale',
    says: ({ royalty }, names) =>
      royalty ? `${percentOf(royalty.bps)} for ${nameOf(royalty.author, names)}` : none,
  },
  constitution: {
    title: 'constitution',
    says: ({ constitution }) => (constitution ? shortId(constitution) : none),
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
  return seconds === 0 ? none : durationOf(seconds)
}

function sizesOf(dollars: CageTerms['dollarsByPhase']): string {
  return dollars.map((size, phase) => `$${grouped(size)} when ${phaseNames[phase]}`).join(', ')
}

function mandateOf({ mandate: { account, assets, targets, payees } }: CageTerms, names: Names): string {
  const prices = assets.map(({ token, feed, maxAgeSeconds }) =>
    BigInt(feed) === 0n
      ? `${nameOf(token, names)} at par`
      : `${nameOf(token, names)} by ${nameOf(feed, names)}, ${counted(maxAgeSeconds, 'second')} old at most`,
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
