import { redeem, refusedRedemption } from '@bardo/chain'
import { golemVitals } from '@bardo/contracts'
import { BardoError, phaseNumber } from '@bardo/core'
import { type Address, encodeFunctionData, isAddressEqual } from 'viem'
import type { Action } from '../capability/action.ts'
import { commitAction } from '../capability/commitAction.ts'
import type { CapabilityPolicy } from '../capability/policy.ts'
import type { Simulation } from '../capability/previewAction.ts'
import { lastSecond } from '../death/lastSecond.ts'
import { createGuard } from '../heartbeat/createGuard.ts'
import type { GolemState, Pending } from '../heartbeat/golemState.ts'
import type { ActResult, Senses, TickPorts } from '../heartbeat/tickPorts.ts'
import { narrowPolicy, readWalletPolicy } from '../owner/walletPolicy.ts'
import { type ObserveReason, outageOf } from '../recovery/recovery.ts'
import { askConstitution } from './askConstitution.ts'
import { buildAction, valueOfAction } from './buildAction.ts'
import type { Charter } from './charter.ts'
import type { Desk } from './createDesk.ts'
import { callsOf, evaluateAction } from './evaluateAction.ts'
import { explainAction } from './explainAction.ts'
import { feelTrade } from './feelTrade.ts'
import type { GolemParts } from './golemParts.ts'
import { livelihood } from './livelihood.ts'
import { readRunway } from './readRunway.ts'
import { readWorld, type WorldSeen } from './readWorld.ts'
import { isRegranting } from './regrant.ts'
import { phaseAt } from './storedLife.ts'
import { storeLedger } from './storeLedger.ts'
import { submitOnce } from './submitOnce.ts'
import { writeState } from './writeLife.ts'

/** So many actions in an hour. Origin: ours; a heartbeat of half a minute acts 120 times, and no plan needs half of it. */
const rate = { most: 60, seconds: 3_600 }

/** With less than this there is nothing that a key can pay for. Origin: ours; a write of the vitals takes about half. */
const leastGas = 100_000n

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
  const signedPolicy: CapabilityPolicy = {
    targets: mandate.targets.map(({ address }) => address),
    tokens: mandate.assets.map(({ token }) => token),
    maxValueCents: plan.sizeCents[0],
    rate,
    constitution: terms.constitution,
  }
  const policy = async () => narrowPolicy(signedPolicy, await readWalletPolicy(store, id))

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
      policy,
      build: (intention) => buildAction(parts, charter, intention),
      check: (intention, action) => askConstitution(parts, charter, intention, action),
      evaluate: (action) => evaluateAction(parts, charter, action),
      now: () => Math.floor(clock.now() / 1_000),
    }),
    act,
    save: (state, events) => writeState(store, id, state, events),
  }

  async function sense({ recovery }: GolemState): Promise<Senses> {
    const wasBroke = recovery.is === 'observing' && recovery.reason === 'gasGone'
    const [seen, granted, key, isBroke] = await Promise.all([
      readWorld(parts, charter),
      readRunway(parts, charter),
      findKey(),
      wasBroke && isWithoutGas(),
    ])
    const { vitals, calls, constitutionChanged } = seen
    const means = await livelihood(parts, charter, seen, granted)
    const { economy, dailyCapCents, leftTodayCents, window } = means
    // Between two roots there is none that stands: the owner is about to hand the new one over.
    const isBetween = seen.revoked && (await isRegranting(store, id))
    const revoked = (seen.revoked && !isBetween) || means.isOrphan
    const { phase, survivalScore, dreaming, mood, lastUpdate } = vitals
    const hasVault = seen.holdings.some(({ vaultCents }) => vaultCents > 0n)
    const outage =
      key.outage ??
      (isBetween ? 'regranting' : undefined) ??
      outageIn(seen, key.address) ??
      (isBroke ? 'gasGone' : undefined)
    return {
      at: Number(seen.at),
      economy,
      permission: {
        revoked,
        dailyCap: dailyCapCents,
        remainingToday: leftTodayCents,
        secondsLeft: BigInt(window.end) - seen.at,
      },
      prices: seen.prices,
      ownerSignatures: seen.ownerSignatures,
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

  /** The key, or what became of it: a Golem that cannot sign can still look. */
  async function findKey(): Promise<{ readonly outage?: ObserveReason; readonly address?: Address }> {
    try {
      const key = await keys.open()
      return key ? { ...(key.address && { address: key.address }) } : { outage: 'keyLost' }
    } catch (error) {
      return { outage: outageOf(error) ?? 'signerOutage' }
    }
  }

  /** Asked only of one that ran out before: whether nothing has come since. */
  async function isWithoutGas(): Promise<boolean> {
    const address = links[0].delegate
    const [price, balance] = await Promise.all([client.getGasPrice(), client.getBalance({ address })])
    return balance < price * leastGas
  }

  /** A key that the row or the leaf does not name any more can do nothing: the chain refuses it. */
  function outageIn({ vitals, managerPaused }: WorldSeen, key?: Address): ObserveReason | undefined {
    const named = [vitals.writer, links[0].delegate]
    const isNamed = key !== undefined && named.every((address) => isAddressEqual(address, key))
    if (vitals.state === 'alive' && !isNamed) return 'keyRefused'
    return managerPaused ? 'managerPaused' : undefined
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
    const explanation = await explainAction(parts, charter, action)
    const error = refusedRedemption(explanation, { deployment, step: 0, outcome: 'not-sent' })
    return error ? { is: 'refused', error } : { is: 'passes', valueCents: await valueOfAction(parts, action) }
  }

  async function act(pending: Pending, tick: number): Promise<ActResult> {
    const desk = await openDesk()
    try {
      const landed = (await carryOn(desk, pending)) ?? (await begin(desk, pending, tick))
      const feeling = await feelTrade(parts, charter, pending.intention, landed)
      const { hash: transaction } = landed
      return { is: 'landed', transaction, spentCents: pending.valueCents, ...(feeling && { feeling }) }
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
    await commitAction(ledger, await policy(), { golem: id, permitId, intentId, action, valueCents, tick })
    return redeem(desk, { id: intentId, steps: [{ links, calls: callsOf(action) }] })
  }
}
