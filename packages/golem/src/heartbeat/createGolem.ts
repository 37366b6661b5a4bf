import {
  BardoError,
  type DeathTrigger,
  type Explanation,
  hashDelegation,
  type Rotation,
  type RotationReason,
} from '@bardo/core'
import type { Hash } from 'viem'
import { buildAction } from '../action/buildAction.ts'
import { type Committed, commitCapability } from '../action/commitCapability.ts'
import { explainRequest } from '../action/explainRequest.ts'
import { type Acting, type Preview, previewIntention } from '../action/previewIntention.ts'
import { acceptDelegation, type OfferedDelegation } from '../crossGolem/acceptDelegation.ts'
import { commitReceived, explainReceived, previewReceived } from '../crossGolem/actReceived.ts'
import { endGiven } from '../crossGolem/endGiven.ts'
import { type DelegationGift, type GivenDelegation, giveDelegation } from '../crossGolem/giveDelegation.ts'
import { createDeathPorts } from '../death/createDeathPorts.ts'
import { acceptDeath, type LifeFigures, runDeath } from '../death/runDeath.ts'
import { writeDeath, writeState } from '../death/writeState.ts'
import { type Drawn, drawRunway } from '../funding/drawRunway.ts'
import { costOf } from '../funding/economyAt.ts'
import { readFunding } from '../funding/readFunding.ts'
import { createKeyKeeper } from '../keys/createKeyKeeper.ts'
import { lenientKeys } from '../keys/lenientKeys.ts'
import { outageOf } from '../observeOnly/observeOnly.ts'
import type { GolemParts } from '../permission/golemParts.ts'
import {
  loadPermission,
  requireSignedStrategy,
  type SignedPermission,
} from '../permission/signedPermission.ts'
import { warnOfLocalKey } from '../permission/warnOfLocalKey.ts'
import { type EndedChild, endChild } from '../replicants/endChild.ts'
import { type ReplicantRequest, replicate } from '../replicants/replicate.ts'
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
  /** Stores a delegation that another Golem gave to it, and returns its hash; see {@link acceptDelegation}. */
  accept(offered: OfferedDelegation): Promise<Hash>
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
  const { id, store, clock, settings, onStep } = parts
  const openSubmitter = createSubmitterOpener(parts)
  const keeper = createKeyKeeper(parts)
  let { permission, tickPorts, deathPorts, bonds } = await join()
  await warnOfLocalKey(parts, permission)
  const now = () => Math.floor(clock.now() / 1_000)

  async function life(): Promise<Pick<GolemStatus, 'state' | 'death'> & { readonly bonds: string }> {
    const { state, death, bonds } = (await store.golemStates.find(id)) ?? lost()
    return { state: readStoredState(state), death: readStoredDeath(death), bonds }
  }

  async function join() {
    // Read before the signed permission: the next tick then notices a change that happens while it loads.
    const { bonds } = (await store.golemStates.find(id)) ?? lost()
    const permission = await loadPermission(parts)
    const heard = onStep && { onStep }
    const ports: TickPorts = {
      ...createTickPorts(parts, permission, openSubmitter),
      keys: keeper.keySteps(permission),
      isReplaced: async () => (await life()).bonds !== bonds,
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
    if ((await life()).bonds !== bonds) ({ permission, tickPorts, deathPorts, bonds } = await join())
  }

  async function tick(): Promise<GolemTick> {
    const { state, death } = await life()
    if (death) {
      // An interrupted rotation locks the row until it continues. A rotation of a suspected key waits for the
      // owner.
      if ((await store.rotations.underWay(id))?.kind === 'direct') await turnKeys(true)
      return die(state)
    }
    const result = await beat(await bootPorts(state), state, now())
    if (result.type === 'overtaken') return result
    const { fate, state: after } = result
    if (!fate) return { type: 'ticked', state: after }
    return (await dieOf(fate)) ?? { type: 'ticked', state: await forget(after, state) }
  }

  /**
   * Restores the phase from before a tick whose judgement does not count. Phases only move forward, so the
   * next tick would die of it.
   */
  async function forget(evaluated: GolemState, before: GolemState): Promise<GolemState> {
    const { phase, survivalScore, health, ownerSignatures } = before
    const version = evaluated.version + 1
    const next = { ...evaluated, phase, survivalScore, health, ownerSignatures, version }
    const change = { name: 'vitals.phaseChanged', from: evaluated.phase, to: phase, survivalScore } as const
    return (await writeState(store, id, next, evaluated.phase === phase ? [] : [change])) ? next : evaluated
  }

  /**
   * Begins the death that a tick decided, unless the owner has signed again since the tick began. In that
   * case the tick judged a signed permission that no longer counts, and the next tick judges the new one.
   */
  async function dieOf(trigger: DeathTrigger): Promise<GolemTick | undefined> {
    const { state } = await life()
    const save: typeof deathPorts.save = (death, events) => writeDeath(store, id, death, events, bonds)
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
      return await runDeath(deathPorts, id, await figures(state), now)
    } catch (error) {
      if (outageOf(error) !== 'rpcOutage') throw error
      return (await life()).death
    }
  }

  async function figures({ tick: ticks }: GolemState): Promise<LifeFigures> {
    const seen = await readSnapshot(parts, permission)
    const { at, holdings } = seen
    const { window } = await readFunding(parts, permission, seen)
    return {
      ticks,
      totalCostCents: costOf(settings.economy.dailyCosts, at - BigInt(window.start)),
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
      return rotation
    },
    async replicate(wanted) {
      requireSignedStrategy(permission)
      return replicate(parts, permission, openSubmitter, wanted)
    },
    endReplicant: (child) => endChild(parts, permission, openSubmitter, child),
    async give(gift) {
      await follow()
      requireSignedStrategy(permission)
      return giveDelegation(parts, permission, gift)
    },
    endGiven: (to) => endGiven(parts, openSubmitter, to),
    accept: (offered) => acceptDelegation(parts, offered),
    preview: async (intention, received) =>
      received === undefined
        ? previewIntention(await acting(), intention)
        : previewReceived({ parts, openSubmitter, life }, intention, received),
    commit: async (capabilityId, intentId) =>
      (await commitReceived({ parts, openSubmitter, life }, capabilityId, intentId)) ??
      commitCapability(await acting(), capabilityId, intentId),
    draw: async (call) => drawRunway(await acting(), parts, openSubmitter, call),
    explain: (intention, received) =>
      received === undefined
        ? explain(intention)
        : explainReceived({ parts, openSubmitter, life }, intention, received),
    status: async () => ({ permission, ...(await life()) }),
    look: () => readSnapshot(parts, permission),
  }
}

/** The boot check: before the first tick, the owner's constitution must be the signed one. */
async function requireConstitution(parts: GolemParts, permission: SignedPermission): Promise<void> {
  const { constitutionChanged } = await readSnapshot(parts, permission)
  if (!constitutionChanged) return
  throw new BardoError('The constitution differs from the signed one.', {
    code: 'CONFIG_INVALID',
    details: [`signed: ${permission.terms.constitution}`],
    remedy: 'Adopt the signed constitution again, or sign a delegation for the new one.',
    docsPath: 'golem.md#the-runtime',
  })
}

function lost(): never {
  throw new BardoError('The Golem’s state is not in the store.', { code: 'STORE_CORRUPT' })
}
