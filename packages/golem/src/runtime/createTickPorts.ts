import { encodeExecution, explainRedemption, redeem, refusedRedemption } from '@bardo/chain'
import { golemVitals } from '@bardo/contracts'
import { BardoError, phaseNumber } from '@bardo/core'
import { encodeFunctionData } from 'viem'
import type { Action } from '../capability/action.ts'
import { commitAction } from '../capability/commitAction.ts'
import type { CapabilityPolicy } from '../capability/policy.ts'
import type { Simulation } from '../capability/previewAction.ts'
import { lastSecond } from '../death/lastSecond.ts'
import { createGuard } from '../heartbeat/createGuard.ts'
import type { Pending } from '../heartbeat/golemState.ts'
import type { ActResult, Senses, TickPorts } from '../heartbeat/tickPorts.ts'
import { buildAction, valueOfAction } from './buildAction.ts'
import type { Charter } from './charter.ts'
import type { Desk } from './createDesk.ts'
import type { GolemParts } from './golemParts.ts'
import { livelihood } from './livelihood.ts'
import { readWorld } from './readWorld.ts'
import { phaseAt } from './storedLife.ts'
import { storeLedger } from './storeLedger.ts'
import { submitOnce } from './submitOnce.ts'
import { writeState } from './writeLife.ts'

/** So many actions in an hour. Origin: ours; a heartbeat of half a minute acts 120 times, and no plan needs half of it. */
const rate = { most: 60, seconds: 3_600 }

/** The heartbeat's ports over the store and the chain. */
export function createTickPorts(
  parts: GolemParts,
  charter: Charter,
  openDesk: () => Promise<Desk>,
): TickPorts {
  const { id, store, client, deployment, clock, keys, settings } = parts
  const { links, terms, plan } = charter
  const { mandate } = terms
  const ledger = storeLedger(store, id)
  const policy: CapabilityPolicy = {
    targets: mandate.targets.map(({ address }) => address),
    tokens: mandate.assets.map(({ token }) => token),
    maxValueCents: plan.sizeCents[0],
    rate,
    constitution: terms.constitution,
  }

  return {
    schedule: settings.schedule,
    strategy: settings.strategy,
    random: Math.random,
    sense,
    publish,
    guard: createGuard({
      golem: id,
      expiryTicks: settings.expiryTicks,
      ledger,
      simulate,
      permitId: () => crypto.randomUUID(),
      policy: async () => policy,
      build: (intention) => buildAction(parts, charter, intention),
      now: () => Math.floor(clock.now() / 1_000),
    }),
    act,
    save: (state, events) => writeState(store, id, state, events),
  }

  async function sense(): Promise<Senses> {
    const [seen, key] = await Promise.all([readWorld(parts, charter), keys.open()])
    const { vitals, calls, constitutionChanged } = seen
    const { economy, dailyCapCents, leftTodayCents, window, isOrphan } = await livelihood(
      parts,
      charter,
      seen,
    )
    const revoked = seen.revoked || isOrphan
    const { phase, survivalScore, dreaming, mood, lastUpdate } = vitals
    const hasVault = seen.holdings.some(({ vaultCents }) => vaultCents > 0n)
    const outage = key ? (seen.managerPaused ? 'managerPaused' : undefined) : 'keyLost'
    return {
      at: Number(seen.at),
      economy,
      permission: {
        revoked,
        dailyCap: dailyCapCents,
        remainingToday: leftTodayCents,
        secondsLeft: BigInt(window.end) - seen.at,
      },
      volatility: 0,
      shown: { phase: phaseAt(phase), survivalScore, dreaming, mood, at: Number(lastUpdate) },
      graceSeconds: terms.graceSeconds,
      ...(outage && { outage }),
      // The kill switch begins a death by itself: whoever ticks finds it, and nothing else.
      fate: { killed: false, revoked, windowEnd: lastSecond(window, hasVault), calls, constitutionChanged },
      view: {
        plan,
        holdings: seen.holdings,
        leftTodayCents,
        lastExecutionAt: seen.lastExecutionAt,
      },
    }
  }

  async function publish(...[intentId, publication]: Parameters<TickPorts['publish']>): Promise<void> {
    const { phase, survivalScore, dreaming, mood } = publication
    const { pleasure, arousal, dominance } = mood
    const data = encodeFunctionData({
      abi: golemVitals.abi,
      functionName: 'publish',
      args: [id, phaseNumber(phase), survivalScore, dreaming, pleasure, arousal, dominance],
    })
    const { submitter } = await openDesk()
    const wish = { id: intentId, to: deployment.contracts.golemVitals, data }
    const { status, hash } = await submitOnce(store.journal, submitter, wish)
    if (status === 'success') return
    throw new BardoError('The vitals refused the write.', {
      code: 'TRANSACTION_REVERTED',
      outcome: 'landed',
      details: [`transaction ${hash}`],
    })
  }

  async function simulate(action: Action): Promise<Simulation> {
    const execution = encodeExecution(callsOf(action))
    const explanation = await explainRedemption(client, deployment, {
      links,
      execution,
      redeemer: links[0].delegate,
    })
    const error = refusedRedemption(explanation, { deployment, step: 0, outcome: 'not-sent' })
    if (error?.code === 'MANAGER_PAUSED') throw error
    return error ? { is: 'refused', error } : { is: 'passes', valueCents: await valueOfAction(parts, action) }
  }

  async function act(pending: Pending, tick: number): Promise<ActResult> {
    const desk = await openDesk()
    try {
      const { hash } = (await carryOn(desk, pending)) ?? (await begin(desk, pending, tick))
      return { is: 'landed', transaction: hash, spentCents: pending.valueCents }
    } catch (error) {
      if (!(error instanceof BardoError)) throw error
      if (error.code === 'OUTCOME_UNKNOWN') return { is: 'onItsWay' }
      if (error.outcome === 'landed') return { is: 'refused', error }
      throw error
    }
  }

  /** What the journal has is finished as it was begun, whatever became of prices and capabilities since. */
  async function carryOn({ submitter }: Desk, { intentId }: Pending) {
    const known = await store.journal.find(intentId)
    if (!known) return undefined
    const { to, value, data } = known.intent
    const landed = await submitter.submit({ id: intentId, to, value, data })
    if (landed.status === 'success') return landed
    throw new BardoError('The redemption landed and was refused there.', {
      code: 'TRANSACTION_REVERTED',
      outcome: 'landed',
      details: [`transaction ${landed.hash}`],
      docsPath: 'explain.md',
    })
  }

  async function begin(desk: Desk, { intentId, intention, permitId, valueCents }: Pending, tick: number) {
    const action = await buildAction(parts, charter, intention)
    await commitAction(ledger, policy, { golem: id, permitId, intentId, action, valueCents, tick })
    return redeem(desk, { id: intentId, steps: [{ links, calls: callsOf(action) }] })
  }
}

function callsOf({ calls }: Action) {
  return calls.map(({ target, value, data }) => ({ to: target, value, data }))
}
