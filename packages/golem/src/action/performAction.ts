import { explainLanded, type Landed, redeem } from '@bardo/chain'
import { BardoError } from '@bardo/core'
import { activeKey } from '@bardo/wallets'
import { collectCoSignatures, endProposals } from '../council/collectCoSignatures.ts'
import { outageOf } from '../observeOnly/observeOnly.ts'
import { pausedReason, requireNotPaused } from '../observeOnly/paused.ts'
import type { GolemParts } from '../permission/golemParts.ts'
import type { SignedPermission } from '../permission/signedPermission.ts'
import type { ActResult, Authorized, TickPorts } from '../snapshot/tickPorts.ts'
import type { GolemState, Pending } from '../state/golemState.ts'
import type { Decision, Intention, View } from '../strategy/strategy.ts'
import { finishOldIntent } from '../submission/finishOldIntent.ts'
import type { GolemSubmitter } from '../submission/openSubmitter.ts'
import { buildAction } from './buildAction.ts'
import { checkConstitution } from './checkConstitution.ts'
import { consumeCapability } from './consumeCapability.ts'
import { decide } from './decide.ts'
import { attemptAction, type Ended, refusedByGuard } from './endAction.ts'
import { callsOf, evaluateAction, simulateAction } from './explainAction.ts'
import { feelTrade } from './feelTrade.ts'
import { mintCapability, requireAllowed } from './mintCapability.ts'
import type { CapabilityPolicy } from './policy.ts'
import { requireConstitution } from './requireConstitution.ts'
import { storeLedger } from './storeLedger.ts'
import { narrowPolicy, readWalletPolicy } from './walletPolicy.ts'

/** The tick around an action: its state, its named steps, and what it records. */
export type ActionRun = {
  readonly tick: number
  readonly intentId: string
  readonly view: View
  state(): GolemState
  /** Runs a part of the tick under its name. */
  step<Result>(name: 'decide' | 'guard' | 'act', work: () => Promise<Result>): Promise<Result>
  /** Stores an action before it is executed. Returns false if another worker wrote first. */
  store(pending: Pending): Promise<boolean>
  wait(because: string): void
  end(intentId: string, ended: Ended): void
}

/**
 * One write of a tick, from the decision to the record: decide → authorize → store as pending → execute →
 * end. An action that an earlier tick left pending is finished instead of a new one. A paused Golem begins none, and
 * drops a pending one that was not journaled yet.
 */
export async function performAction(
  ports: Pick<TickPorts, 'schedule' | 'strategy' | 'authorize' | 'execute' | 'spawn' | 'isPaused'>,
  run: ActionRun,
): Promise<void> {
  const pending = run.state().pending ?? (await beginAction(ports, run))
  if (!pending || run.state().recovery.type !== 'acting') return
  const result = await run.step('act', () => attemptAction(ports, run.state(), pending, run.tick))
  if (result.type !== 'onItsWay') run.end(pending.intentId, result)
}

async function beginAction(
  ports: Pick<TickPorts, 'schedule' | 'strategy' | 'authorize' | 'spawn' | 'isPaused'>,
  run: ActionRun,
): Promise<Pending | undefined> {
  if (await ports.isPaused?.()) {
    run.wait(pausedReason)
    return undefined
  }
  const decision: Decision = await run.step('decide', () => decide(ports, run.state(), run.view))
  if (decision.type === 'wait') {
    run.wait(decision.because)
    return undefined
  }
  if (decision.type === 'replicate') {
    const refusal = await run.step('act', () => ports.spawn(decision))
    if (refusal) run.wait(`no Replicant: ${[refusal.shortMessage, ...refusal.details].join(' ')}`)
    return undefined
  }
  const authorized = await run.step('guard', () => ports.authorize(decision, run.tick))
  if (authorized.type === 'refused') {
    run.end(run.intentId, refusedByGuard(authorized.error))
    return undefined
  }
  const { capabilityId, valueCents } = authorized
  const pending: Pending = { intentId: run.intentId, intention: decision, capabilityId, valueCents }
  return (await run.store(pending)) ? pending : undefined
}

/**
 * The maximum number of actions in an hour. A heartbeat of 30 seconds has 120 ticks in an hour; no plan needs
 * half of them.
 */
const rate = { most: 60, seconds: 3_600 }

/**
 * The two halves of a write. `authorize`: build → constitution → policy → evaluate → simulate → mint; it
 * changes nothing on the chain. `execute`: consume the capability → journal → sign → submit → observe; it
 * takes effect once for each intent.
 */
export function createActionPorts(
  parts: GolemParts,
  permission: SignedPermission,
  openSubmitter: () => Promise<GolemSubmitter>,
): Pick<TickPorts, 'authorize' | 'execute'> {
  const { id: golem, store, clock, settings } = parts
  const ledger = storeLedger(store)

  async function authorize(intention: Intention, tick: number): Promise<Authorized> {
    try {
      const { action, valueCents } = await buildAction(parts, permission, intention)
      await checkConstitution(parts, permission, intention, action)
      const policy = await readPolicy()
      requireAllowed(action, policy)
      const refusal =
        (await evaluateAction(parts, permission, action)) ?? (await simulateAction(parts, permission, action))
      if (refusal) throw refusal
      const request = { golem, action, requestedCents: intention.cents, valueCents, tick, now: now() }
      const capability = await mintCapability(ledger, policy, settings.expiryTicks, request)
      return {
        type: 'allowed',
        capabilityId: capability.capabilityId,
        valueCents: capability.valueLimitCents,
      }
    } catch (error) {
      return asRefusal(error)
    }
  }

  async function execute(pending: Pending, tick: number): Promise<ActResult> {
    const key = await activeKey(store, golem)
    const old = key && (await finishOldIntent(parts, pending, key.address))
    if (old) return old
    const submitter = await openSubmitter()
    try {
      const landed = (await resume(submitter, pending)) ?? (await start(submitter, pending, tick))
      if ('type' in landed) return landed
      await endProposals(parts, permission.links, pending.intentId, landed.hash)
      const feeling = await feelTrade(parts, permission, pending.intention, landed)
      const { hash: transaction } = landed
      return { type: 'landed', transaction, spentCents: pending.valueCents, ...(feeling && { feeling }) }
    } catch (error) {
      if (!(error instanceof BardoError)) throw error
      if (error.code === 'OUTCOME_UNKNOWN') return { type: 'onItsWay' }
      if (!error.retryable && !outageOf(error))
        await endProposals(parts, permission.links, pending.intentId, undefined)
      if (error.outcome === 'landed') return { type: 'refused', error }
      throw error
    }
  }

  /** Finishes a journaled intent as it was begun, even if prices and capabilities have changed since. */
  async function resume({ submitter }: GolemSubmitter, { intentId }: Pending): Promise<Landed | undefined> {
    const record = await store.journal.find(intentId)
    if (!record) return undefined
    const { to, value, data } = record.intent
    const landed = await submitter.submit({ id: intentId, to, value, data })
    if (landed.status === 'success') return landed
    throw await explainLanded(parts, landed)
  }

  async function start(
    submitter: GolemSubmitter,
    pending: Pending,
    tick: number,
  ): Promise<Landed | Extract<ActResult, { type: 'onItsWay' }>> {
    const { intentId, intention, capabilityId, valueCents } = pending
    // The action is sent as it was built for the capability: a price that has moved since does not change it.
    const built = (await ledger.find(capabilityId))?.built
    const action = built ?? (await buildAction(parts, permission, intention)).action
    const request = { golem, capabilityId, intentId, action, valueCents, tick }
    // The owner may have paused the Golem, or adopted another constitution, since the preview.
    requireNotPaused((await store.golemStates.find(golem))?.pausedAt)
    await requireConstitution(parts, permission)
    await consumeCapability(ledger, await readPolicy(), request)
    const calls = callsOf(action)
    const collected = await collectCoSignatures(parts, {
      intentId,
      links: permission.links,
      calls,
      valueCents,
    })
    if (collected.type === 'waiting')
      return { type: 'onItsWay', because: `${collected.because} (request ${collected.proposal})` }
    return redeem(submitter, { id: intentId, steps: [{ links: collected.links, calls }] })
  }

  /** What the owner signed, narrowed by the wallet policy that they set. */
  async function readPolicy(): Promise<CapabilityPolicy> {
    const { mandate, constitution } = permission.terms
    const signed: CapabilityPolicy = {
      targets: mandate.targets.map(({ address }) => address),
      tokens: mandate.assets.map(({ token }) => token),
      maxValueCents: permission.plan.sizeCents[0],
      rate,
      constitution,
    }
    return narrowPolicy(signed, await readWalletPolicy(store, golem))
  }

  function now(): number {
    return Math.floor(clock.now() / 1_000)
  }

  return { authorize, execute }
}

/**
 * Turns a definite refusal into a result. Throws an outage or a defect of Bardo again: it must not count
 * against the Golem.
 */
export function asRefusal(error: unknown): Authorized {
  const isRefusal = error instanceof BardoError && error.code !== 'INTERNAL' && !outageOf(error)
  if (!isRefusal) throw error
  return { type: 'refused', error }
}
