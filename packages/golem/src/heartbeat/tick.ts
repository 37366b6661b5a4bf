import {
  advancePhase,
  type DeathEvidence,
  type DeathTrigger,
  decideDeath,
  expiryWarningSeconds,
  laterPhase,
  type MetabolicState,
  permissionHealth,
  permissionWarnings,
} from '@bardo/core'
import { type Ended, endAction } from '../action/endAction.ts'
import { type ActionRun, performAction } from '../action/performAction.ts'
import { saveState } from '../action/saveState.ts'
import { awake, confirmDream, turnDream, wantsDreaming } from '../dreams/dream.ts'
import { failureOf } from '../events/failureOf.ts'
import type { GolemEvent } from '../events/golemEvent.ts'
import { calmDown, isMoodDue, type Pad, shownMood } from '../mood/mood.ts'
import { longestWait, type ObserveReason, observe, outageOf } from '../observeOnly/observeOnly.ts'
import { readSenses } from '../snapshot/readSenses.ts'
import type { Senses, TickPorts } from '../snapshot/tickPorts.ts'
import type { GolemState, Publication } from '../state/golemState.ts'
import type { HeartbeatStep } from '../state/heartbeatStep.ts'
import { rememberPrices, volatilityOf } from '../state/volatility.ts'
import { summaryOf } from '../strategy/strategy.ts'
import { account, assessVitality, type VitalityAssessment } from './assessVitality.ts'
import { nextInterval } from './nextInterval.ts'
import { ownerReset } from './ownerReset.ts'
import { publicationDue } from './publicationDue.ts'

/** How a tick ended. */
export type TickResult =
  | {
      readonly type: 'ticked'
      readonly state: GolemState
      /** Why the Golem must die, if it must: begin its death, and do not tick it again. */
      readonly fate: DeathTrigger | undefined
    }
  /** Another worker ticked the Golem at the same time; this tick has no effect. */
  | { readonly type: 'overtaken' }

/** A refusal by the chain counts for a day, in seconds. */
const refusalMemory = 86_400

/**
 * One heartbeat: sense, account, judge, phase, publish, decide, guard, act, record. A failed step is
 * recorded, and the steps after it wait for the next tick. A decided action is stored before it is executed,
 * so that the next tick, in any worker, first finishes an interrupted one.
 *
 * @example
 * const { state } = await tick(ports, newGolem('alpha', now, 300), now)
 */
export async function tick(ports: TickPorts, before: GolemState, now: number): Promise<TickResult> {
  const result = createTickSteps(ports, before, now)
  try {
    await result.run()
  } catch (error) {
    // If the database rejected the write, there is no new state: the tick runs again from the previous one.
    if (!(error instanceof StepFailure)) throw error
    result.fail(error)
  }
  return result.record()
}

/** Which step failed, and the cause. */
class StepFailure extends Error {
  override readonly name = 'StepFailure'
  readonly step: HeartbeatStep

  constructor(step: HeartbeatStep, cause: unknown) {
    super(`${step} failed`, { cause })
    this.step = step
  }
}

/** The steps of one tick, and the state that they build up. */
function createTickSteps(ports: TickPorts, before: GolemState, now: number) {
  const number = before.tick + 1
  const intentId = (step: 'publish' | 'act' | 'gas') => `${before.golem}:tick:${number}:${step}`
  let state: GolemState = { ...before, mood: calmDown(before.mood, now) }
  let events: GolemEvent[] = []
  let interval = before.intervalSeconds
  let evidence: DeathEvidence | undefined
  let overtaken = false
  let sensed: Senses | undefined
  // The chain's time, once it is known: signed terms are judged by it, not by this machine's clock.
  let chainNow = now
  // The mood that the chain shows, after this tick's publication.
  let chainMood: Pad | undefined

  async function step<Result>(name: HeartbeatStep, work: () => Result | Promise<Result>): Promise<Result> {
    ports.onStep?.(name)
    try {
      return await work()
    } catch (error) {
      throw new StepFailure(name, error)
    }
  }

  async function run(): Promise<void> {
    const senses = await step('sense', () => readSenses(ports, before))
    sensed = senses
    chainNow = senses.at
    noteOutage(senses)
    // Phases only move forward: a phase that was judged by outdated bounds would stay.
    if (senses.isStale) return
    const metabolism = await step('account', () => account(senses))
    const assessment = await step('judge', () => assessVitality(metabolism, senses))
    await step('phase', () => movePhase(senses, assessment))
    if (fate()) return
    await step('publish', async () => {
      await drawGas(senses)
      await publish(senses, assessment)
    })
    await performAction(ports, actionRun(senses, assessment, metabolism))
  }

  function noteOutage({ outage }: Senses): void {
    if (outage) lookOn(outage)
    else state = { ...state, recovery: { type: 'acting' } }
  }

  function lookOn(reason: ObserveReason): void {
    const { recovery: previous } = before
    const recovery = observe(previous, reason, now, ports.random())
    const { attempts, retryAt } = recovery
    const isKnown = previous.type === 'observing' && previous.reason === reason
    if (!isKnown) events.push({ name: 'recovery.observing', reason, attempts, retryAt })
    state = { ...state, recovery }
  }

  function movePhase(senses: Senses, { vitality, survivalScore }: VitalityAssessment): void {
    // The chain's phase counts too: it may be later than the phase in a restored database.
    const phase = advancePhase(
      laterPhase(before.phase, senses.shown.phase),
      vitality,
      ownerReset(before, senses),
    )
    if (phase !== before.phase)
      events.push({ name: 'vitals.phaseChanged', from: before.phase, to: phase, survivalScore })
    const health = permissionHealth(senses.permission)
    if (health !== before.health)
      events.push({ name: 'permission.health', health, warnings: permissionWarnings(senses.permission) })
    const warnedEnd = warnOfEnd(senses)
    // A Golem with a pending action does not fall asleep, because a dreaming Golem cannot execute it. The
    // machine that summoned the Golem has its own clock: the first day starts at the chain's time.
    const current =
      before.health === undefined && state.dream.type === 'awake' ? awake(chainNow) : state.dream
    const dream = state.pending ? current : turnDream(current, ports.schedule.dream, chainNow, false)
    const prices = rememberPrices(before.prices, senses.prices, chainNow)
    const { graceSeconds, ownerSignatures } = senses
    state = { ...state, phase, survivalScore, health, warnedEnd, dream, prices, ownerSignatures }
    const volatility = volatilityOf(prices)
    interval = nextInterval(ports.schedule, { vitality, volatility, health, graceSeconds })
    evidence = {
      ...senses.fate,
      now: BigInt(Math.floor(chainNow)),
      survivalScore: phase === 'terminal' ? 0 : survivalScore,
    }
  }

  /** Warns once when the permission has a day left, whatever its health is. A renewed one has another end. */
  function warnOfEnd({ at, permission: { secondsLeft, revoked }, delegation }: Senses): number | undefined {
    const end = at + Number(secondsLeft)
    const isNear = secondsLeft > 0n && secondsLeft <= expiryWarningSeconds && !revoked
    if (!isNear || before.warnedEnd === end) return before.warnedEnd
    events.push({
      name: 'custody.delegationExpiring',
      delegationHash: delegation,
      secondsRemaining: secondsLeft,
    })
    return end
  }

  /** Decided twice in a tick: the last refusal by the chain may happen in this tick. */
  function fate(): DeathTrigger | undefined {
    const chainRefusals = state.chainRefusals.map((at) => BigInt(Math.floor(at)))
    return evidence && decideDeath({ ...evidence, chainRefusals })[0]
  }

  /** A key that runs low draws gas first: publishing needs it. It takes no turn of the signed rhythm. */
  async function drawGas({ gas, view, shown }: Senses): Promise<void> {
    const { recovery, phase, dream } = state
    if (!gas || !ports.refuel || recovery.type === 'observing' || dream.type !== 'awake' || shown.dreaming)
      return
    const need = { seen: gas, phase, leftTodayCents: view.leftTodayCents }
    const drawn = await ports.refuel(intentId('gas'), need)
    if (drawn) events.push({ name: 'gas.drawn', ...drawn })
  }

  async function publish(
    { shown, graceSeconds }: Senses,
    { survivalScore }: VitalityAssessment,
  ): Promise<void> {
    const { recovery, phase, mood } = state
    chainMood = shown.mood
    // A paused DelegationManager stops redemptions; the Golem writes its row without it.
    if (recovery.type === 'observing' && recovery.reason !== 'managerPaused') return
    const dreaming = wantsDreaming(state.dream)
    const wanted: Publication = { phase, survivalScore, dreaming, mood: shownMood(mood) }
    if (publicationDue(shown, wanted, chainNow, graceSeconds)) {
      await ports.publish(intentId('publish'), wanted)
      chainMood = wanted.mood
      events.push({ name: 'vitals.published', phase, survivalScore })
      if (isMoodDue(shown.mood, wanted.mood)) events.push({ name: 'mood.published', ...wanted.mood })
    }
    settleDream(dreaming)
  }

  function settleDream(oracleSays: boolean): void {
    const { dream } = state
    const next = confirmDream(dream, oracleSays, chainNow)
    if (next.type === dream.type) return
    if (next.type === 'asleep') events.push({ name: 'dream.began', number: next.number })
    if (next.type === 'awake')
      events.push({ name: 'dream.ended', number: next.number, seconds: chainNow - dream.since })
    state = { ...state, dream: next }
  }

  /** The context for the action of this tick; see {@link performAction}. */
  function actionRun(
    senses: Senses,
    { vitality }: VitalityAssessment,
    { sustainabilityRatio }: MetabolicState,
  ): ActionRun {
    const { phase } = state
    const { reserveCents } = ports.schedule
    return {
      tick: number,
      intentId: intentId('act'),
      view: {
        ...senses.view,
        mood: chainMood,
        now: chainNow,
        phase,
        vitality,
        sustainabilityRatio,
        reserveCents,
      },
      state: () => state,
      step,
      async store(pending) {
        const { intentId: intent, intention, valueCents } = pending
        events.push({ name: 'action.intended', intent, summary: summaryOf(intention), valueCents })
        await save({ ...state, pending })
        return !overtaken
      },
      wait: (because) => events.push({ name: 'action.waited', because }),
      end,
    }
  }

  function end(intent: string, ended: Ended): void {
    const after = endAction(state, intent, ended, { now, at: chainNow })
    events.push(after.event)
    state = after.state
  }

  function fail({ step: failed, cause }: StepFailure): void {
    events.push({ name: 'heartbeat.stepFailed', step: failed, failure: failureOf(cause) })
    const outage = outageOf(cause) ?? (failed === 'sense' ? 'blind' : undefined)
    if (!outage) return
    lookOn(outage)
    // If sensing failed, only the retry time of the recovery limits the interval.
    if (failed === 'sense') interval = longestWait
  }

  async function save(next: GolemState): Promise<void> {
    const version = state.version + 1
    const isOurs = await saveState(ports, sensed, { ...next, version }, events)
    if (isOurs) state = { ...next, version }
    else overtaken = true
    events = []
  }

  /** Step 9: stores the state and the events of the tick. */
  async function record(): Promise<TickResult> {
    if (overtaken) return { type: 'overtaken' }
    ports.onStep?.('record')
    const { recovery } = state
    if (before.recovery.type === 'observing' && recovery.type === 'acting') {
      const { reason: after, since } = before.recovery
      events.push({ name: 'recovery.acting', after, seconds: now - since })
    }
    const retryAt = recovery.type === 'observing' ? recovery.retryAt : Number.POSITIVE_INFINITY
    const nextTickAt = Math.max(now + 1, Math.min(now + interval, Math.ceil(retryAt)))
    events.push({ name: 'heartbeat.ticked', tick: number, nextTickAt })
    const chainRefusals = state.chainRefusals.filter((at) => chainNow - at < refusalMemory)
    await save({ ...state, tick: number, nextTickAt, intervalSeconds: interval, chainRefusals })
    return overtaken ? { type: 'overtaken' } : { type: 'ticked', state, fate: fate() }
  }

  return { run, fail, record }
}
