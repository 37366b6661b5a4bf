import {
  advancePhase,
  type MetabolicState,
  type Phase,
  permissionHealth,
  permissionWarnings,
  phaseNumber,
} from '@bardo/core'
import { type DeathFacts, type DeathTrigger, deathTrigger } from '../death/deathTrigger.ts'
import { awake, confirmDream, turnDream, wantsDreaming } from '../dreams/dream.ts'
import { failureOf } from '../events/failureOf.ts'
import type { GolemEvent } from '../events/golemEvent.ts'
import { calmDown, isMoodDue, shownMood } from '../mood/mood.ts'
import { longestWait, type ObserveReason, observe, outageOf } from '../recovery/recovery.ts'
import { summaryOf, type View } from '../strategies/strategy.ts'
import { decide } from './decide.ts'
import { attemptAction, type Ended, endAction } from './endAction.ts'
import type { GolemState, Pending, Publication } from './golemState.ts'
import type { HeartbeatStep } from './heartbeatStep.ts'
import { account, type Judgement, judge } from './judge.ts'
import { nextInterval } from './nextInterval.ts'
import { ownerReset } from './ownerReset.ts'
import { publicationDue } from './publicationDue.ts'
import type { Senses, TickPorts } from './tickPorts.ts'
import { rememberPrices, volatilityOf } from './volatility.ts'

/** How a tick ended. */
export type TickResult =
  | {
      readonly is: 'ticked'
      readonly state: GolemState
      /** Why the Golem has to die, where it has: begin its death, and tick it no more. */
      readonly fate: DeathTrigger | undefined
    }
  /** Another worker ticked it meanwhile; nothing of this one counts. */
  | { readonly is: 'overtaken' }

/** A refusal counts for a day. Origin: DESIGN §5a. */
const refusalMemory = 86_400

/**
 * One heartbeat: sense, account, judge, phase, publish, decide, guard, act, record. A step that fails is recorded, and
 * what comes after it waits for the next tick. Nothing is half done: what was decided is written down before it is
 * done, and the next tick, whoever runs it, begins with finishing it.
 *
 * @example
 * const { state } = await tick(ports, newGolem('alpha', now, 300), now)
 */
export async function tick(ports: TickPorts, before: GolemState, now: number): Promise<TickResult> {
  const beat = createBeat(ports, before, now)
  try {
    await beat.run()
  } catch (error) {
    // What the database did not take is no state: the tick is run again from the one before.
    if (!(error instanceof StepFailure)) throw error
    beat.fail(error)
  }
  return beat.record()
}

/** Which step failed, and of what. */
class StepFailure extends Error {
  override readonly name = 'StepFailure'
  readonly step: HeartbeatStep

  constructor(step: HeartbeatStep, cause: unknown) {
    super(`${step} failed`, { cause })
    this.step = step
  }
}

/** One beat in the making. */
function createBeat(ports: TickPorts, before: GolemState, now: number) {
  const number = before.tick + 1
  const intentId = (step: 'publish' | 'act') => `${before.golem}:tick:${number}:${step}`
  let state: GolemState = { ...before, mood: calmDown(before.mood, now) }
  let events: GolemEvent[] = []
  let interval = before.intervalSeconds
  let facts: DeathFacts | undefined
  let overtaken = false
  // The chain's time, once it is known: what was signed is judged by it, not by this machine's clock.
  let chainNow = now

  async function step<Result>(name: HeartbeatStep, work: () => Result | Promise<Result>): Promise<Result> {
    ports.onStep?.(name)
    try {
      return await work()
    } catch (error) {
      throw new StepFailure(name, error)
    }
  }

  async function run(): Promise<void> {
    const senses = await step('sense', () => ports.sense(before))
    chainNow = senses.at
    noteOutage(senses)
    const metabolism = await step('account', () => account(senses))
    const judgement = await step('judge', () => judge(metabolism, senses))
    await step('phase', () => movePhase(senses, judgement))
    if (fate()) return
    await step('publish', () => publish(senses, judgement))
    const pending = state.pending ?? (await intend(senses, judgement, metabolism))
    if (pending && state.recovery.is === 'acting') await step('act', () => act(pending))
  }

  function noteOutage({ outage }: Senses): void {
    if (outage) lookOn(outage)
    else state = { ...state, recovery: { is: 'acting' } }
  }

  function lookOn(reason: ObserveReason): void {
    const { recovery: known } = before
    const recovery = observe(known, reason, now, ports.random())
    const { attempts, retryAt } = recovery
    const isKnown = known.is === 'observing' && known.reason === reason
    if (!isKnown) events.push({ name: 'recovery.observing', reason, attempts, retryAt })
    state = { ...state, recovery }
  }

  function movePhase(senses: Senses, { vitality, survivalScore }: Judgement): void {
    // The chain's phase counts too: it may be later than what a restored database says.
    const phase = advancePhase(
      laterOf(before.phase, senses.shown.phase),
      vitality,
      ownerReset(before, senses),
    )
    if (phase !== before.phase)
      events.push({ name: 'vitals.phaseChanged', from: before.phase, to: phase, survivalScore })
    const health = permissionHealth(senses.permission)
    if (health !== before.health)
      events.push({ name: 'permission.health', health, warnings: permissionWarnings(senses.permission) })
    // It does not fall asleep over something unfinished: awake it could not be done any more.
    // Whoever summoned it had a clock of their own: its first day begins by the chain's.
    const known = before.health === undefined && state.dream.is === 'awake' ? awake(chainNow) : state.dream
    const dream = state.pending ? known : turnDream(known, ports.schedule.dream, chainNow, false)
    const prices = rememberPrices(before.prices, senses.prices, chainNow)
    const { graceSeconds, ownerSignatures } = senses
    state = { ...state, phase, survivalScore, health, dream, prices, ownerSignatures }
    const volatility = volatilityOf(prices)
    interval = nextInterval(ports.schedule, { vitality, volatility, health, graceSeconds })
    facts = {
      ...senses.fate,
      now: BigInt(Math.floor(chainNow)),
      survivalScore: phase === 'terminal' ? 0 : survivalScore,
      chainRefusals: [],
      missedTicks: 0,
    }
  }

  /** Asked twice: the last refusal of the chain may come in this very beat. */
  function fate(): DeathTrigger | undefined {
    const chainRefusals = state.chainRefusals.map((at) => BigInt(Math.floor(at)))
    return facts && deathTrigger({ ...facts, chainRefusals })
  }

  async function publish({ shown, graceSeconds }: Senses, { survivalScore }: Judgement): Promise<void> {
    const { recovery, phase, mood } = state
    // A paused manager stops redemptions; the Golem's row is written without it.
    if (recovery.is === 'observing' && recovery.reason !== 'managerPaused') return
    const dreaming = wantsDreaming(state.dream)
    const wanted: Publication = { phase, survivalScore, dreaming, mood: shownMood(mood) }
    if (publicationDue(shown, wanted, chainNow, graceSeconds)) {
      await ports.publish(intentId('publish'), wanted)
      events.push({ name: 'vitals.published', phase, survivalScore })
      if (isMoodDue(shown.mood, wanted.mood)) events.push({ name: 'mood.published', ...wanted.mood })
    }
    settleDream(dreaming)
  }

  function settleDream(oracleSays: boolean): void {
    const { dream } = state
    const next = confirmDream(dream, oracleSays, chainNow)
    if (next.is === dream.is) return
    if (next.is === 'asleep') events.push({ name: 'dream.began', number: next.number })
    if (next.is === 'awake')
      events.push({ name: 'dream.ended', number: next.number, seconds: chainNow - dream.since })
    state = { ...state, dream: next }
  }

  /** Steps 6 and 7: what is wanted and allowed, written down before it is done. */
  async function intend(
    senses: Senses,
    { vitality }: Judgement,
    { sustainabilityRatio }: MetabolicState,
  ): Promise<Pending | undefined> {
    const { phase } = state
    const { reserveCents } = ports.schedule
    const view: View = { ...senses.view, now: chainNow, phase, vitality, sustainabilityRatio, reserveCents }
    const decision = await step('decide', () => decide(ports, state, view))
    if (decision.is === 'wait') {
      events.push({ name: 'action.waited', because: decision.because })
      return undefined
    }
    const intent = intentId('act')
    const guarded = await step('guard', () => ports.guard(intent, decision, number))
    if (guarded.is === 'refused') {
      end(intent, { is: 'refused', where: 'runtime', error: guarded.error })
      return undefined
    }
    const { permitId, valueCents } = guarded
    const pending: Pending = { intentId: intent, intention: decision, permitId, valueCents }
    events.push({ name: 'action.intended', intent, summary: summaryOf(decision), valueCents })
    await save({ ...state, pending })
    return overtaken ? undefined : pending
  }

  async function act(pending: Pending): Promise<void> {
    const result = await attemptAction(ports, state, pending, number)
    if (result.is !== 'onItsWay') end(pending.intentId, result)
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
    // Where nothing can be seen, the next look comes when it is worth one.
    if (failed === 'sense') interval = longestWait
  }

  async function save(next: GolemState): Promise<void> {
    const version = state.version + 1
    const isOurs = await ports.save({ ...next, version }, events)
    if (isOurs) state = { ...next, version }
    else overtaken = true
    events = []
  }

  /** Step 9. */
  async function record(): Promise<TickResult> {
    if (overtaken) return { is: 'overtaken' }
    ports.onStep?.('record')
    const { recovery } = state
    if (before.recovery.is === 'observing' && recovery.is === 'acting') {
      const { reason: after, since } = before.recovery
      events.push({ name: 'recovery.acting', after, seconds: now - since })
    }
    const retryAt = recovery.is === 'observing' ? recovery.retryAt : Number.POSITIVE_INFINITY
    const nextTickAt = Math.max(now + 1, Math.min(now + interval, Math.ceil(retryAt)))
    events.push({ name: 'heartbeat.ticked', tick: number, nextTickAt })
    const chainRefusals = state.chainRefusals.filter((at) => chainNow - at < refusalMemory)
    await save({ ...state, tick: number, nextTickAt, intervalSeconds: interval, chainRefusals })
    return overtaken ? { is: 'overtaken' } : { is: 'ticked', state, fate: fate() }
  }

  return { run, fail, record }
}

function laterOf(a: Phase, b: Phase): Phase {
  return phaseNumber(a) >= phaseNumber(b) ? a : b
}
