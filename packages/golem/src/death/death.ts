import { BardoError, type DeferredPosition, type SettledPosition } from '@bardo/core'
import type { DeathTrigger } from './deathTrigger.ts'

export type { DeathTrigger } from './deathTrigger.ts'

/** The four phases of dying. Origin: spec 000 §4, Thanatopsis. */
export const deathPhases = ['acceptance', 'settlement', 'reflection', 'legacy'] as const

/** One of them. */
export type DeathPhase = (typeof deathPhases)[number]

/**
 * What is done in each phase, in the order of DESIGN §5a. Posting and surrendering need the session key, so it is wiped
 * after them. `surrender` gives the row on the chain up for good; `deregister` takes the Golem off the workers' list.
 */
export const deathSteps = [
  ['acceptance', 'postDeclining'],
  ['acceptance', 'clearDreaming'],
  ['settlement', 'settle'],
  ['settlement', 'postTerminal'],
  ['settlement', 'settleLate'],
  ['reflection', 'writeTestament'],
  ['legacy', 'surrender'],
  ['legacy', 'fileRevocation'],
  ['legacy', 'wipe'],
  ['legacy', 'deregister'],
] as const satisfies readonly (readonly [DeathPhase, string])[]

/** One effect of a death. */
export type DeathStep = (typeof deathSteps)[number][1]

/** Steps that the world may make impossible: without a key nothing is posted, and after a revocation nothing settled. */
export type AvoidableStep =
  | 'postDeclining'
  | 'clearDreaming'
  | 'settle'
  | 'postTerminal'
  | 'settleLate'
  | 'surrender'

/** What settling brought. */
export type Unwound = {
  readonly settled: readonly SettledPosition[]
  readonly deferred: readonly DeferredPosition[]
  readonly slippageCostCents: bigint
}

/** A death as it is stored. Plain data: a crash loses nothing of it. It goes forward only, and never away. */
export type Death = {
  readonly golem: string
  readonly trigger: DeathTrigger
  /** Unix seconds. */
  readonly begunAt: number
  /** After this moment nothing more is settled. */
  readonly settleUntil: number
  readonly stepsDone: number
  readonly impossible: readonly { readonly step: DeathStep; readonly because: string }[]
  readonly unwound: Unwound
  /** Counts the writes: each is made on condition that it is the next. */
  readonly version: number
}

/** What a step came to. Anything that is not certain is `waiting`. */
export type DeathStepResult =
  | { readonly kind: 'done'; readonly unwound?: Unwound }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'impossible'; readonly because: string; readonly unwound?: Unwound }

/** How long positions may take to close. Origin: ours; an hour, within a dead-man's grace of usual length. */
export const settleSeconds = 3_600

/** Acceptance. A Golem that is dying already goes on dying as it was: whoever asks again changes nothing. */
export function beginDeath(
  known: Death | undefined,
  { golem, trigger, now }: { readonly golem: string; readonly trigger: DeathTrigger; readonly now: number },
): Death {
  if (known) return known
  return {
    golem,
    trigger,
    begunAt: now,
    settleUntil: now + settleSeconds,
    stepsDone: 0,
    impossible: [],
    unwound: { settled: [], deferred: [], slippageCostCents: 0n },
    version: 0,
  }
}

/** What is to be done next; undefined once it is over. */
export function nextDeathStep({ stepsDone }: Death): DeathStep | undefined {
  return deathSteps[stepsDone]?.[1]
}

/** Where a death stands; `over` once all is done. */
export function deathPhaseOf({ stepsDone }: Death): DeathPhase | 'over' {
  return deathSteps[stepsDone]?.[0] ?? 'over'
}

/** The name under which a step is done once: the same for whoever does it, and however often. */
export function deathIntentId({ golem, begunAt }: Death, step: DeathStep): string {
  return `${golem}:death:${begunAt}:${step}`
}

/** The death after its next step came to `result`. Waiting changes nothing, unless settling has taken too long. */
export function advanceDeath(death: Death, result: DeathStepResult, now: number): Death {
  const step = nextDeathStep(death)
  if (!step) return death
  const isLate = (step === 'settle' || step === 'settleLate') && now >= death.settleUntil
  if (result.kind === 'waiting' && !isLate) return death
  const unwound =
    result.kind !== 'waiting' && result.unwound ? merge(death.unwound, result.unwound) : death.unwound
  const next = { ...death, unwound, stepsDone: death.stepsDone + 1, version: death.version + 1 }
  if (result.kind === 'done') return next
  const because = result.kind === 'impossible' ? result.because : 'it took too long'
  return { ...next, impossible: [...death.impossible, { step, because }] }
}

/** What was settled late is deferred no longer. */
function merge(before: Unwound, late: Unwound): Unwound {
  const closed = new Set([...before.settled, ...late.settled].map(({ id }) => id))
  const deferred = new Map([...before.deferred, ...late.deferred].map((position) => [position.id, position]))
  const settled = new Map([...before.settled, ...late.settled].map((position) => [position.id, position]))
  return {
    settled: [...settled.values()],
    deferred: [...deferred.values()].filter(({ id }) => !closed.has(id)),
    slippageCostCents: before.slippageCostCents + late.slippageCostCents,
  }
}

/** Refuses what would reach a dying Golem, before any payment for it is taken. Reading is always allowed. */
export function requireNotDying(death: Death | undefined): void {
  if (!death) return
  throw new BardoError('The Golem is dying.', {
    code: 'GOLEM_DYING',
    details: [
      `since ${new Date(death.begunAt * 1_000).toISOString()}, by ${death.trigger}`,
      `in ${deathPhaseOf(death)}`,
    ],
    remedy: 'A death that has begun is not undone. Summon a successor: it inherits the testament.',
    docsPath: 'golem.md#death',
  })
}
