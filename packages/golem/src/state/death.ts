import { BardoError, type DeathTrigger, type DeferredPosition, type SettledPosition } from '@bardo/core'

/** The four phases of a death. */
const deathPhases = ['acceptance', 'settlement', 'reflection', 'legacy'] as const

/** A phase of a death. */
export type DeathPhase = (typeof deathPhases)[number]

/**
 * The steps of each phase, in order. Posting and surrendering need the session key, so it is wiped after
 * them. `surrender`
 * gives up the row on the chain permanently; `deregister` removes the Golem from the workers' list.
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

/** A step of a death. */
export type DeathStep = (typeof deathSteps)[number][1]

/**
 * Steps that can become impossible: without a key nothing is posted, and after a revocation nothing is
 * settled.
 */
export type AvoidableStep =
  | 'postDeclining'
  | 'clearDreaming'
  | 'settle'
  | 'postTerminal'
  | 'settleLate'
  | 'surrender'

/** The result of the settlement. */
export type Unwound = {
  readonly settled: readonly SettledPosition[]
  readonly deferred: readonly DeferredPosition[]
  readonly slippageCostCents: bigint
}

/** A stored death. Plain data: a crash loses nothing. It only advances, and is never removed. */
export type Death = {
  readonly golem: string
  readonly trigger: DeathTrigger
  /** Unix seconds. */
  readonly begunAt: number
  /** No position is settled after this time. */
  readonly settleUntil: number
  readonly stepsDone: number
  readonly impossible: readonly { readonly step: DeathStep; readonly because: string }[]
  readonly unwound: Unwound
  /** Counts the writes: each requires the previous version. */
  readonly version: number
}

/** The result of a step. Anything uncertain is `waiting`. */
export type DeathStepResult =
  | { readonly kind: 'done'; readonly unwound?: Unwound }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'impossible'; readonly because: string; readonly unwound?: Unwound }

/**
 * How long closing positions may take: an hour, well within the usual grace period of a dead-man's switch.
 */
export const settleSeconds = 3_600

/** Begins a death. A death that has begun is returned unchanged. */
export function beginDeath(
  existing: Death | undefined,
  { golem, trigger, now }: { readonly golem: string; readonly trigger: DeathTrigger; readonly now: number },
): Death {
  if (existing) return existing
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

/** The next step; undefined once the death is over. */
export function nextDeathStep({ stepsDone }: Death): DeathStep | undefined {
  return deathSteps[stepsDone]?.[1]
}

/** The phase of a death; `over` once all steps are done. */
export function deathPhaseOf({ stepsDone }: Death): DeathPhase | 'over' {
  return deathSteps[stepsDone]?.[0] ?? 'over'
}

/**
 * The intent id of a step: the same for every process and every attempt, so the step has one effect.
 *
 * @param key - the address of the key, if the step has one effect for each key
 */
export function deathIntentId({ golem, begunAt }: Death, step: DeathStep, key?: string): string {
  return [golem, 'death', begunAt, ...(key === undefined ? [] : [key]), step].join(':')
}

/**
 * The death after the result of its next step. Waiting changes nothing, unless the settlement takes too long.
 */
export function advanceDeath(death: Death, result: DeathStepResult, now: number): Death {
  const step = nextDeathStep(death)
  if (!step) return death
  const isLate = (step === 'settle' || step === 'settleLate') && now >= death.settleUntil
  if (result.kind === 'waiting' && !isLate) return death
  const unwound =
    result.kind !== 'waiting' && result.unwound ? merge(death.unwound, result.unwound) : death.unwound
  const next = { ...death, unwound, stepsDone: death.stepsDone + 1, version: death.version + 1 }
  if (result.kind === 'done') return next
  const because = result.kind === 'impossible' ? result.because : 'the settlement took too long'
  return { ...next, impossible: [...death.impossible, { step, because }] }
}

/** A position that was settled late is no longer deferred. */
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

/** Throws if the Golem is dying, before any payment for it is taken. Reading is always allowed. */
export function requireNotDying(death: Death | undefined): void {
  if (!death) return
  throw new BardoError('The Golem is dying.', {
    code: 'GOLEM_DYING',
    details: [
      `since ${new Date(death.begunAt * 1_000).toISOString()}, trigger ${death.trigger}`,
      `phase ${deathPhaseOf(death)}`,
    ],
    remedy: 'A death cannot be undone. Summon a successor: it inherits the testament.',
    docsPath: 'golem.md#death',
  })
}
