import {
  BardoError,
  centsUp,
  type DeathTrigger,
  type Explanation,
  figuresOf,
  hashDelegation,
  type Rotation,
  type RotationReason,
} from '@bardo/core'
import type { Hash } from 'viem'
import { buildAction } from '../action/buildAction.ts'
import { checkDraw } from '../action/checkDraw.ts'
import { type Committed, commitCapability } from '../action/commitCapability.ts'
import { explainRequest } from '../action/explainRequest.ts'
import { type Acting, type Preview, previewIntention } from '../action/previewIntention.ts'
import { requireAble } from '../action/requireAble.ts'
import { requireConstitution } from '../action/requireConstitution.ts'
import { answerTo, coSignProposals, questionFor } from '../council/coSignProposals.ts'
import type { Proposal } from '../council/proposal.ts'
import type { MemberAnswer } from '../council/storedAnswers.ts'
import { acceptDelegation, type OfferedDelegation } from '../crossGolem/acceptDelegation.ts'
import { commitReceived, explainReceived, previewReceived } from '../crossGolem/actReceived.ts'
import { endGiven } from '../crossGolem/endGiven.ts'
import { type DelegationGift, type GivenDelegation, giveDelegation } from '../crossGolem/giveDelegation.ts'
import { createDeathPorts } from '../death/createDeathPorts.ts'
import { acceptDeath, type LifeFigures, runDeath } from '../death/runDeath.ts'
import { writeState } from '../death/writeState.ts'
import { recordEvents } from '../events/recordEvents.ts'
import { type Drawn, drawRunway } from '../funding/drawRunway.ts'
import { readFunding } from '../funding/readFunding.ts'
import { type AgentWalletRequest, setAgentWallet } from '../identity/setAgentWallet.ts'
import { createKeyKeeper } from '../keys/createKeyKeeper.ts'
import { lenientKeys } from '../keys/lenientKeys.ts'
import { withEntries } from '../ledger/dueEntries.ts'
import { tryPostEntries } from '../ledger/postEntries.ts'
import { outageOf } from '../observeOnly/observeOnly.ts'
import { requireNotPaused } from '../observeOnly/paused.ts'
import type { GolemParts } from '../permission/golemParts.ts'
import {
  loadPermission,
  requireSignedStrategy,
  type SignedPermission,
} from '../permission/signedPermission.ts'
import { warnOfLocalKey } from '../permission/warnOfLocalKey.ts'
import { type EndedChild, endChild } from '../replicants/endChild.ts'
import { type ReplicantRequest, replicate } from '../replicants/replicate.ts'
import { followRevocation } from '../requests/regrant.ts'
import { readSnapshot, type Snapshot } from '../snapshot/readSnapshot.ts'
import type { TickPorts } from '../snapshot/tickPorts.ts'
import type { Death } from '../state/death.ts'
import { deathPhaseOf } from '../state/death.ts'
import type { GolemState } from '../state/golemState.ts'
import { readStoredDeath, readStoredState } from '../state/storedState.ts'
import type { Intention } from '../strategy/strategy.ts'
import { createSubmitterOpener } from '../submission/openSubmitter.ts'
import { createTickPorts } from './createTickPorts.ts'
import { tick as beat, type TickResult } from './tick.ts'

/** The result of a Golem's tick. */
export type GolemTick =
  | Extract<TickResult, { type: 'overtaken' }>
  | { readonly type: 'ticked'; readonly state: GolemState }
  /** The Golem is dying, or dead once `phase` is `over`. */
  | { readonly type: 'dying'; readonly death: Death; readonly phase: ReturnType<typeof deathPhaseOf> }

/** The permission, the state and the death of a Golem. */
export type GolemStatus = {
  readonly permission: SignedPermission
  readonly state: GolemState
  readonly death: Death | undefined
  /** When its owner paused it, in milliseconds since 1970; undefined while it may act. */
  readonly pausedAt: number | undefined
}

/** A running Golem. It holds nothing in memory that another worker would need. */
export type LivingGolem = {
  readonly id: Hash
  /** Runs one heartbeat, or the next steps of its death. */
  tick(): Promise<GolemTick>
  /** The owner's kill switch. A death that has already begun continues with its own trigger. */
  kill(): Promise<GolemTick>
  /** Begins its death. The next tick, in any worker, continues it. */
  beginDeath(trigger: DeathTrigger): Promise<void>
  /** Begins its death for the given reason, and runs as many steps of it as possible now. */
  end(trigger: DeathTrigger): Promise<GolemTick>
  /** Rotates its session key for the given reason. `suspected` asks the owner for a new grant. */
  rotate(reason: RotationReason): Promise<Rotation>
  /** Creates a Replicant from its own share; see {@link ReplicantRequest}. */
  replicate(request: ReplicantRequest): Promise<Hash>
  /** Ends one of its own Replicants. Refuses any other Golem. */
  endReplicant(child: Hash): Promise<EndedChild>
  /** Delegates a part of its own permission to another Golem; see {@link giveDelegation}. */
  give(gift: DelegationGift): Promise<GivenDelegation>
  /** Ends every delegation that it gave to a receiver, named by name, key or hash. */
  endGiven(to: string): Promise<readonly Hash[]>
  /** Answers a proposal of another data folder as a co-signer, after its own evaluation. Stores nothing. */
  coSign(proposal: Proposal): Promise<MemberAnswer>
  /** Stores a delegation that another Golem gave to it, and returns its hash; see {@link acceptDelegation}. */
  accept(offered: OfferedDelegation): Promise<Hash>
  /** Makes its active key the wallet of its agent, under the owner's grant; see {@link setAgentWallet}. */
  becomeAgentWallet(request: AgentWalletRequest): Promise<void>
  /**
   * Previews an action request and returns a capability for it; see {@link previewIntention}.
   *
   * @param received - the hash of a received delegation. Default: the Golem's own permission
   */
  preview(intention: Intention, received?: string): Promise<Preview>
  /** Commits the action of a capability, once for each intent; see {@link commitCapability}. */
  commit(capabilityId: string, intentId: string): Promise<Committed>
  /**
   * Draws the part of the daily runway that its phase allows, once for each call id; see {@link drawRunway}.
   */
  draw(call: string): Promise<Drawn>
  /** Explains how the chain would judge an action request. Mints no capability and changes nothing. */
  explain(intention: Intention, received?: string): Promise<Explanation>
  status(): Promise<GolemStatus>
  /** Reads a snapshot of the chain now. */
  look(): Promise<Snapshot>
}

/**
 * Joins a Golem's parts: its state in the store, its bounds and its row on the chain, its key. If the
 * constitution differs from the signed one, the Golem does not start its first tick. If the strategy text
 * differs from the signed one, the Golem is in observe-only mode.
 *
 * @example
 * const golem = await createGolem({ id, store, client, deployment, book, clock, keys, settings })
 * const { type } = await golem.tick()
 */
export async function createGolem(given: GolemParts): Promise<LivingGolem> {
  const parts = { ...given, keys: lenientKeys(given.keys) }
  const { id, store, clock, onStep } = parts
  const openSubmitter = createSubmitterOpener(parts)
  const keeper = createKeyKeeper(parts)
  let { permission, tickPorts, deathPorts, bonds } = await join()
  await warnOfLocalKey(parts, permission)
  const now = () => Math.floor(clock.now() / 1_000)

  async function life(): Promise<Omit<GolemStatus, 'permission'>> {
    const { state, death, pausedAt } = (await store.golemStates.find(id)) ?? lost()
    return { state: readStoredState(state), death: readStoredDeath(death), pausedAt }
  }

  async function join() {
    // Read before the signed permission: the next tick then notices a change that happens while it loads.
    const bonds = (await store.golemStates.findBonds(id)) ?? lost()
    const permission = await loadPermission(parts)
    const heard = onStep && { onStep }
    const ports: TickPorts = {
      ...createTickPorts(parts, permission, openSubmitter),
      keys: keeper.keySteps(permission),
      isReplaced: async () => (await store.golemStates.findBonds(id)) !== bonds,
      isPaused: async () => (await life()).pausedAt !== undefined,
      ...heard,
    }
    return {
      permission,
      bonds,
      tickPorts: ports,
      deathPorts: { ...createDeathPorts(parts, permission, openSubmitter), ...heard },
    }
  }

  async function turnKeys(isDying = false): Promise<void> {
    await keeper.turn(permission, isDying)
    await follow()
  }

  /** Loads the signed permission again if any process has changed the strategy, the delegation or the key. */
  async function follow(): Promise<void> {
    if ((await store.golemStates.findBonds(id)) !== bonds)
      ({ permission, tickPorts, deathPorts, bonds } = await join())
  }

  async function tick(): Promise<GolemTick> {
    const { state, death } = await life()
    if (death) {
      // An interrupted rotation locks the row until it continues. A rotation of a suspected key waits for the
      // owner.
      const rotation = await store.rotations.underWay(id)
      if (rotation && rotation.kind !== 'suspected') await turnKeys(true)
      return die(state)
    }
    const result = await beat(await bootPorts(state), state, now())
    if (result.type === 'overtaken') return result
    const { fate, state: after } = result
    if (!fate) {
      await coSignProposals(parts, permission, after)
      return { type: 'ticked', state: after }
    }
    return (await dieOf(fate)) ?? { type: 'ticked', state: await forget(after, state) }
  }

  /**
   * Restores the phase from before a tick whose judgement does not count. Phases only move forward, so the
   * next tick would die of it.
   */
  async function forget(evaluated: GolemState, before: GolemState): Promise<GolemState> {
    const { phase, survivalScore, health, warnedEnd, ownerSignatures } = before
    const version = evaluated.version + 1
    const next = { ...evaluated, phase, survivalScore, health, warnedEnd, ownerSignatures, version }
    const change = { name: 'vitals.phaseChanged', from: evaluated.phase, to: phase, survivalScore } as const
    return (await writeState(store, id, next, evaluated.phase === phase ? [] : [change])) ? next : evaluated
  }

  /**
   * Begins the death that a tick decided, unless the owner has signed again since the tick began. In that
   * case the tick judged a signed permission that no longer counts, and the next tick judges the new one.
   */
  async function dieOf(trigger: DeathTrigger): Promise<GolemTick | undefined> {
    const { state } = await life()
    const save: typeof deathPorts.save = (death, events) => deathPorts.save(death, events, bonds)
    const { survivalScore } = state
    await acceptDeath({ ...deathPorts, save }, { golem: id, trigger, now: now(), survivalScore })
    return (await life()).death ? die(state) : undefined
  }

  /**
   * Rotates keys first. Before the first successful tick it also checks that the constitution is the signed
   * one. During an outage the Golem senses nothing, and the next tick repeats both.
   */
  async function bootPorts({ health }: GolemState): Promise<TickPorts> {
    try {
      await followRevocation(parts).catch(ignoreRace)
      await turnKeys()
      if (health === undefined) await requireConstitution(parts, permission)
      return tickPorts
    } catch (error) {
      if (!outageOf(error)) throw error
      return { ...tickPorts, sense: () => Promise.reject(error) }
    }
  }

  /** Accepts a death without reading the chain: the kill switch works during an outage too. */
  async function beginDeath(trigger: DeathTrigger): Promise<void> {
    await turnKeys(true)
    const { survivalScore } = (await life()).state
    await acceptDeath(deathPorts, { golem: id, trigger, now: now(), survivalScore })
  }

  async function end(trigger: DeathTrigger): Promise<GolemTick> {
    await beginDeath(trigger)
    return die((await life()).state)
  }

  async function die(state: GolemState): Promise<GolemTick> {
    const death = (await goOn(state)) ?? lost()
    const phase = deathPhaseOf(death)
    // Another worker may have wiped the stored key while this one had it open.
    if (phase === 'over') await parts.keys.wipe()
    return { type: 'dying', death, phase }
  }

  /** Runs as many steps of the death as possible. If the chain cannot be reached, the next tick continues. */
  async function goOn(state: GolemState): Promise<Death | undefined> {
    try {
      const death = await runDeath(deathPorts, id, await figures(state), now)
      // The transactions of the last steps.
      await tryPostEntries(parts, permission)
      return death
    } catch (error) {
      if (outageOf(error) !== 'rpcOutage') throw error
      return (await life()).death
    }
  }

  async function figures({ tick: ticks }: GolemState): Promise<LifeFigures> {
    const seen = await readSnapshot(parts, permission)
    const { holdings } = seen
    await tryPostEntries(parts, permission)
    const { ledger } = await readFunding(parts, permission, seen)
    const { spentMicros } = figuresOf(withEntries(ledger.state, ledger.due).lifetime)
    return {
      ticks,
      totalCostCents: centsUp(spentMicros),
      finalNavCents: holdings.reduce((sum, { cents, vaultCents }) => sum + cents + vaultCents, 0n),
      permissions: permission.own.map((link) => hashDelegation(link)),
    }
  }

  /** Uses the key that is active now, even if another process rotated it. */
  async function acting(): Promise<Acting> {
    await follow()
    requireSignedStrategy(permission)
    return { parts, ports: tickPorts, life, explain, now }
  }

  async function explain(intention: Intention): Promise<Explanation> {
    const { action } = await buildAction(parts, permission, intention)
    return explainRequest(parts, permission, action)
  }

  return {
    id,
    tick,
    kill: () => end('killSwitch'),
    beginDeath,
    end,
    async rotate(reason) {
      await follow()
      const rotation = await keeper.rotate(permission, reason)
      await turnKeys()
      await tryPostEntries(parts, permission)
      return rotation
    },
    async replicate(wanted) {
      await follow()
      requireSignedStrategy(permission)
      requireNotPaused((await life()).pausedAt)
      return replicate(parts, permission, openSubmitter, wanted)
    },
    endReplicant: (child) => endChild(parts, permission, openSubmitter, child),
    async give(gift) {
      await follow()
      requireSignedStrategy(permission)
      requireNotPaused((await life()).pausedAt)
      return giveDelegation(parts, permission, gift)
    },
    endGiven: (to) => endGiven(parts, openSubmitter, to),
    async coSign(proposal) {
      const acts = await acting()
      const { state, death, pausedAt } = await acts.life()
      requireAble(state, death, undefined)
      requireNotPaused(pausedAt)
      const wallet = await parts.keys.open()
      const question = wallet && questionFor(parts, proposal, wallet)
      if (!wallet || !question)
        throw new BardoError('The proposal does not name this Golem’s active key as a co-signer.', {
          code: 'INVALID_INPUT',
          details: [`active key: ${wallet?.address ?? 'none'}`],
          docsPath: 'council.md',
        })
      const answer = await answerTo(parts, permission, { wallet, question, phase: state.phase })
      if (answer) return answer
      throw new BardoError('The chain cannot be read now.', {
        code: 'RPC_UNAVAILABLE',
        docsPath: 'council.md',
      })
    },
    accept: (offered) => acceptDelegation(parts, offered),
    async becomeAgentWallet(request) {
      const redeemer = await openSubmitter()
      const wallet = (await parts.keys.open()) ?? lost()
      await setAgentWallet({ ...redeemer, wallet }, request)
      const { agentId } = request
      const event = { name: 'identity.walletSet', agentId, wallet: wallet.address } as const
      await store.transaction(async (transaction) => recordEvents(transaction, id, [event]))
    },
    preview: async (intention, received) =>
      received === undefined
        ? previewIntention(await acting(), intention)
        : previewReceived({ parts, openSubmitter, life }, intention, received),
    commit: async (capabilityId, intentId) =>
      (await commitReceived({ parts, openSubmitter, life }, capabilityId, intentId)) ??
      commitCapability(await acting(), capabilityId, intentId),
    async draw(call) {
      const now = await acting()
      const check = (drawn: Parameters<typeof checkDraw>[3]) => checkDraw(now, parts, permission, drawn)
      const drawn = await drawRunway(now, parts, openSubmitter, call, check)
      await tryPostEntries(parts, permission)
      return drawn
    },
    explain: (intention, received) =>
      received === undefined
        ? explain(intention)
        : explainReceived({ parts, openSubmitter, life }, intention, received),
    status: async () => ({ permission, ...(await life()) }),
    look: () => readSnapshot(parts, permission),
  }
}

/** Another process puts the new root into force at the same moment; the next tick sees it. */
function ignoreRace(error: unknown): void {
  if (!(error instanceof BardoError && error.code === 'STORE_UNAVAILABLE')) throw error
}

function lost(): never {
  throw new BardoError('The Golem’s state is not in the store.', { code: 'STORE_CORRUPT' })
}
