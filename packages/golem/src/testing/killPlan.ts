import fc from 'fast-check'
import { type DeathStep, deathSteps } from '../state/death.ts'
import { heartbeatSteps } from '../state/heartbeatStep.ts'
import type { LifeName } from './crashGolems.ts'
import type { CrashPoint } from './crashPoint.ts'

/** One life and its crash points: while awake, and while dying. */
export type LifePlan = {
  readonly life: LifeName
  readonly awake: readonly CrashPoint[]
  readonly dying: readonly CrashPoint[]
}

type NamedCrashPoint = Extract<CrashPoint, { type: 'at' }>
const at = (name: string, ...path: readonly string[]): NamedCrashPoint => ({ type: 'at', name, path })

const send = 'eth_sendRawTransaction'
const stored = (purpose: string) =>
  at(`${purpose}: raw transaction stored, not broadcast`, `after addAttempt of ${purpose}`)
const broadcast = (purpose: string) =>
  at(`${purpose}: broadcast, no receipt`, `after addAttempt of ${purpose}`, `after ${send}`)

/** At the beginning of each of the nine steps of a tick, after one whole tick. */
const ticks = heartbeatSteps.map((step) => at(`step ${step}`, 'step record', `step ${step}`))

/** The last crash point before a death. */
const lastOf = {
  undecided: at('guard: decision stored, not begun', 'step guard', 'after transaction'),
  unsent: stored('act'),
  dropped: { ...broadcast('act'), name: 'act: broadcast, lost by the node', broadcast: 'dropped' },
} as const satisfies Readonly<Record<string, CrashPoint>>

/** Inside the steps that have effects. */
const effects: readonly CrashPoint[] = [
  ...Object.values(lastOf),
  at('guard: capability minted, not stored', 'after mint'),
  at('guard: inside the transaction that stores the decision', 'step guard', 'inside transaction'),
  at('act: before the capability is used', 'before consume'),
  at('act: capability used, nothing in the journal', 'after consume'),
  at('act: in the journal, without a nonce', 'after addIntent of act'),
  at('act: nonce claimed, not signed', 'after claimNonce of act'),
  broadcast('act'),
  { ...broadcast('act'), name: 'act: broadcast, mined while dead', broadcast: 'minedLater' },
  at('act: mined, not settled', 'after noteMined of act'),
  at('act: settled, not recorded', 'after settle of act'),
  at('record: inside its transaction', 'step record', 'inside transaction'),
  at('record: committed, not answered', 'step record', 'after transaction'),
  at('publish: nonce claimed, not signed', 'after claimNonce of publish'),
  stored('publish'),
  broadcast('publish'),
]

/** Where a machine may be suspended: another process does not wait for its locks. */
const naps: readonly CrashPoint[] = [
  at('before it publishes', 'step publish'),
  at('publish: raw transaction stored, not broadcast', 'after addAttempt of publish'),
  at('guard: capability minted, not stored', 'after mint'),
  at('guard: decision stored, not begun', 'step guard', 'after transaction'),
  at('act: capability used, nothing in the journal', 'after consume'),
  at('act: in the journal, without a nonce', 'after addIntent of act'),
  at('act: nonce claimed, not signed', 'after claimNonce of act'),
  stored('act'),
  broadcast('act'),
  at('act: settled, not recorded', 'after settle of act'),
].map(({ name, path }) => ({ type: 'asleep', name, path }))

const sending: readonly DeathStep[] = ['postDeclining', 'postTerminal', 'surrender', 'wipe']

/** At the beginning of a step of a death. */
const atDeath = (step: DeathStep) => at(`death ${step}`, `step ${step}`)

/** Inside a step of a death, in the order in which a repeatedly interrupted death passes them. */
function withinDeath(step: DeathStep): readonly CrashPoint[] {
  const sent = [stored(step), at(`${step}: broadcast, no receipt`, `step ${step}`, `after ${send}`)]
  const unwritten = at(`${step}: done, not stored`, `step ${step}`, 'before transaction')
  const uncommitted = at(`${step}: inside its transaction`, `step ${step}`, 'inside transaction')
  return [atDeath(step), ...(sending.includes(step) ? sent : []), unwritten, uncommitted]
}

const steps = deathSteps.map(([, step]) => step)
const plainDeath = steps.map(atDeath)
const wholeDeath = steps.flatMap(withinDeath)

/** Arbitrary crash points: one of the points of about two ticks, or a time within a second. */
function anywhere(count: number, seed: number): readonly CrashPoint[] {
  const moment = fc.record({ type: fc.constant('moment' as const), number: fc.integer({ min: 1, max: 170 }) })
  const timer = fc.record({
    type: fc.constant('timer' as const),
    milliseconds: fc.integer({ min: 0, max: 1_200 }),
  })
  return fc.sample(fc.noBias(fc.oneof(moment, timer)), { numRuns: count, seed })
}

function shuffled(crashPoints: readonly CrashPoint[], seed: number): readonly CrashPoint[] {
  const length = { minLength: crashPoints.length, maxLength: crashPoints.length }
  return fc.sample(fc.shuffledSubarray([...crashPoints], length), { numRuns: 1, seed })[0] ?? []
}

/** All others in any order, and then `last`: the state that the death finds. */
function upTo(last: CrashPoint, others: readonly CrashPoint[], seed: number): readonly CrashPoint[] {
  return [
    ...shuffled(
      others.filter((crashPoint) => crashPoint !== last),
      seed,
    ),
    last,
  ]
}

/**
 * Twelve kills for each database without a common named step: together 24, with every step of ticks and
 * deaths.
 */
export function fewKills(half: 0 | 1, seed: number): readonly LifePlan[] {
  const isInHalf = (_: unknown, index: number) => index % 2 === half
  const last = half === 0 ? stored('act') : broadcast('act')
  const inside = half === 0 ? [] : [at('record: inside its transaction', 'step record', 'inside transaction')]
  const awake = [...ticks.filter(isInHalf), ...inside, ...anywhere(1, seed + half)]
  return [
    {
      life: half === 0 ? 'trader' : 'vault',
      awake: upTo(last, awake, seed + half),
      dying: plainDeath.filter(isInHalf),
    },
  ]
}

/**
 * 200 kills over four lives. With a shared database, one process can be suspended while another continues.
 */
export function manyKills(seed: number, isShared: boolean): readonly LifePlan[] {
  const everywhere = [...ticks, ...effects]
  return [
    {
      life: 'trader',
      awake: upTo(lastOf.unsent, [...everywhere, ...anywhere(5, seed)], seed),
      dying: wholeDeath,
    },
    {
      life: 'vault',
      awake: upTo(lastOf.undecided, [...everywhere, ...anywhere(4, seed + 1)], seed + 1),
      dying: plainDeath,
    },
    {
      life: 'saver',
      awake: upTo(lastOf.dropped, [...everywhere, ...anywhere(4, seed + 2)], seed + 2),
      dying: wholeDeath,
    },
    {
      life: 'trader',
      awake: isShared ? shuffled([...naps, ...anywhere(8, seed + 3)], seed + 3) : anywhere(18, seed + 3),
      dying: plainDeath.slice(0, 2),
    },
  ]
}
