import fc from 'fast-check'
import { type DeathStep, deathSteps } from '../../death/death.ts'
import { heartbeatSteps } from '../../heartbeat/heartbeatStep.ts'
import type { Doom } from './doom.ts'
import type { LifeName } from './mortalLives.ts'

/** One life and where it is interrupted: awake, and then while it dies. */
export type LifePlan = {
  readonly life: LifeName
  readonly awake: readonly Doom[]
  readonly dying: readonly Doom[]
}

type NamedDoom = Extract<Doom, { is: 'at' }>
const at = (name: string, ...path: readonly string[]): NamedDoom => ({ is: 'at', name, path })

const send = 'eth_sendRawTransaction'
const stored = (purpose: string) =>
  at(`${purpose}: raw transaction stored, not broadcast`, `after addAttempt of ${purpose}`)
const broadcast = (purpose: string) =>
  at(`${purpose}: broadcast, no receipt`, `after addAttempt of ${purpose}`, `after ${send}`)

/** As each of the nine steps of a tick begins, the one after a whole tick. */
const beats = heartbeatSteps.map((step) => at(`step ${step}`, 'step record', `step ${step}`))

/** A death meets each of these in its turn. */
const lastOf = {
  undecided: at('guard: decision written, not begun', 'step guard', 'after transaction'),
  unsent: stored('act'),
  dropped: { ...broadcast('act'), name: 'act: broadcast, lost by the node', broadcast: 'dropped' },
} as const satisfies Readonly<Record<string, Doom>>

/** Within the steps that have effects. */
const effects: readonly Doom[] = [
  ...Object.values(lastOf),
  at('guard: capability minted, not written down', 'after mint'),
  at('guard: inside the transaction that writes the decision', 'step guard', 'inside transaction'),
  at('act: before the capability is used', 'before consume'),
  at('act: capability used, nothing in the journal', 'after consume'),
  at('act: in the journal, without a nonce', 'after addIntent of act'),
  at('act: nonce claimed, not signed', 'after claimNonce of act'),
  broadcast('act'),
  { ...broadcast('act'), name: 'act: broadcast, mined while dead', broadcast: 'minedLater' },
  at('act: seen in a block, not settled', 'after noteMined of act'),
  at('act: settled, not recorded', 'after settle of act'),
  at('record: inside its transaction', 'step record', 'inside transaction'),
  at('record: committed, not answered', 'step record', 'after transaction'),
  at('publish: nonce claimed, not signed', 'after claimNonce of publish'),
  stored('publish'),
  broadcast('publish'),
]

/** Where a machine may fall asleep: whoever goes on meanwhile waits for no lock of it. */
const naps: readonly Doom[] = [
  at('before it publishes', 'step publish'),
  at('publish: raw transaction stored, not broadcast', 'after addAttempt of publish'),
  at('guard: capability minted, not written down', 'after mint'),
  at('guard: decision written, not begun', 'step guard', 'after transaction'),
  at('act: capability used, nothing in the journal', 'after consume'),
  at('act: in the journal, without a nonce', 'after addIntent of act'),
  at('act: nonce claimed, not signed', 'after claimNonce of act'),
  stored('act'),
  broadcast('act'),
  at('act: settled, not recorded', 'after settle of act'),
].map(({ name, path }) => ({ is: 'asleep', name, path }))

const sending: readonly DeathStep[] = ['postDeclining', 'postTerminal', 'surrender', 'wipe']

/** As a step of a death begins. */
const atDeath = (step: DeathStep) => at(`death ${step}`, `step ${step}`)

/** Within a step of a death, in the order in which a death that is interrupted each time comes by. */
function withinDeath(step: DeathStep): readonly Doom[] {
  const sent = [stored(step), at(`${step}: broadcast, no receipt`, `step ${step}`, `after ${send}`)]
  const unwritten = at(`${step}: done, not written`, `step ${step}`, 'before transaction')
  const uncommitted = at(`${step}: inside its transaction`, `step ${step}`, 'inside transaction')
  return [atDeath(step), ...(sending.includes(step) ? sent : []), unwritten, uncommitted]
}

const steps = deathSteps.map(([, step]) => step)
const plainDeath = steps.map(atDeath)
const wholeDeath = steps.flatMap(withinDeath)

/** Dooms at no point in particular: moments of about two ticks, and a second of a process. */
function anywhere(count: number, seed: number): readonly Doom[] {
  const moment = fc.record({ is: fc.constant('moment' as const), number: fc.integer({ min: 1, max: 170 }) })
  const timer = fc.record({
    is: fc.constant('timer' as const),
    milliseconds: fc.integer({ min: 0, max: 1_200 }),
  })
  return fc.sample(fc.noBias(fc.oneof(moment, timer)), { numRuns: count, seed })
}

function shuffled(dooms: readonly Doom[], seed: number): readonly Doom[] {
  const length = { minLength: dooms.length, maxLength: dooms.length }
  return fc.sample(fc.shuffledSubarray([...dooms], length), { numRuns: 1, seed })[0] ?? []
}

/** Everything but `last` in any order, and then `last`: what the death finds. */
function upTo(last: Doom, others: readonly Doom[], seed: number): readonly Doom[] {
  return [
    ...shuffled(
      others.filter((doom) => doom !== last),
      seed,
    ),
    last,
  ]
}

/** Twelve kills for each database, which have no named step in common: 24 with every step of ticks and deaths. */
export function fewKills(half: 0 | 1, seed: number): readonly LifePlan[] {
  const isOurs = (_: unknown, index: number) => index % 2 === half
  const last = half === 0 ? stored('act') : broadcast('act')
  const inside = half === 0 ? [] : [at('record: inside its transaction', 'step record', 'inside transaction')]
  const awake = [...beats.filter(isOurs), ...inside, ...anywhere(1, seed + half)]
  return [
    {
      life: half === 0 ? 'trader' : 'vault',
      awake: upTo(last, awake, seed + half),
      dying: plainDeath.filter(isOurs),
    },
  ]
}

/** 200 kills over four lives. Where processes can share the data, one may sleep while another goes on. */
export function manyKills(seed: number, isShared: boolean): readonly LifePlan[] {
  const everywhere = [...beats, ...effects]
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
