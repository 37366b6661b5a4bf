import { BardoError, type Explanation, hashDelegation, type Rotation, type RotationReason } from '@bardo/core'
import { type Address, type Hash, isAddressEqual } from 'viem'
import type { Death, DeathTrigger } from '../death/death.ts'
import { deathPhaseOf } from '../death/death.ts'
import { acceptDeath, type LifeFigures, runDeath } from '../death/runDeath.ts'
import type { GolemState } from '../heartbeat/golemState.ts'
import { tick as beat, type TickResult } from '../heartbeat/tick.ts'
import type { TickPorts } from '../heartbeat/tickPorts.ts'
import { outageOf } from '../recovery/recovery.ts'
import type { Intention } from '../strategies/strategy.ts'
import { activeKey } from './activeKey.ts'
import { buildAction } from './buildAction.ts'
import { type Charter, loadCharter } from './charter.ts'
import { type Committed, commitPermit } from './commitPermit.ts'
import { createDeathPorts } from './createDeathPorts.ts'
import { createDesk } from './createDesk.ts'
import { createKeyKeeper } from './createKeyKeeper.ts'
import { createTickPorts } from './createTickPorts.ts'
import { type Drawn, drawRunway } from './drawRunway.ts'
import { costOf } from './economyAt.ts'
import { type EndedChild, endChild } from './endChild.ts'
import { explainWish } from './explainWish.ts'
import type { GolemParts } from './golemParts.ts'
import { lenientKeys } from './lenientKeys.ts'
import { livelihood } from './livelihood.ts'
import { type Acting, type Preview, previewIntention } from './previewIntention.ts'
import { readWorld, type WorldSeen } from './readWorld.ts'
import { type ReplicantWish, replicate } from './replicate.ts'
import { readStoredDeath, readStoredState } from './storedLife.ts'
import { warnOfLocalKey } from './warnOfLocalKey.ts'

/** What a tick of a Golem came to. */
export type GolemTick =
  | Extract<TickResult, { is: 'overtaken' }>
  | { readonly is: 'ticked'; readonly state: GolemState }
  /** It is dying, or dead once `phase` is `over`. */
  | { readonly is: 'dying'; readonly death: Death; readonly phase: ReturnType<typeof deathPhaseOf> }

/** How a Golem stands. */
export type GolemStatus = {
  readonly charter: Charter
  readonly state: GolemState
  readonly death: Death | undefined
}

/** A Golem that can be ticked, killed and looked at. It holds nothing that another worker would need. */
export type LivingGolem = {
  readonly id: Hash
  /** One heartbeat, or the next steps of its death. */
  tick(): Promise<GolemTick>
  /** The owner's kill switch. A death that has begun goes on as it was. */
  kill(): Promise<GolemTick>
  /** Begins its death, and leaves the rest to whoever ticks it next. */
  doom(trigger: DeathTrigger): Promise<void>
  /** Begins its death for another reason, and goes as far with it as can be gone now. */
  end(trigger: DeathTrigger): Promise<GolemTick>
  /** Replaces its key, for a reason of the caller's. `suspected` asks the owner for a new grant. */
  rotate(reason: RotationReason): Promise<Rotation>
  /** Brings a child to life, from its own share; see {@link ReplicantWish}. */
  replicate(wish: ReplicantWish): Promise<Hash>
  /** Ends one of its children, and nobody else. */
  endReplicant(child: Hash): Promise<EndedChild>
  /** Asks for leave to do something; see {@link previewIntention}. */
  preview(intention: Intention): Promise<Preview>
  /** Does what a permit allows, once for an intent; see {@link commitPermit}. */
  commit(permitId: string, intentId: string): Promise<Committed>
  /** Draws what its phase allows of the day's runway, once for a call; see {@link drawRunway}. */
  draw(call: string): Promise<Drawn>
  /** What the chain would make of a wish. Asks for nothing and changes nothing. */
  explain(intention: Intention): Promise<Explanation>
  status(): Promise<GolemStatus>
  /** What it sees of the chain now. */
  look(): Promise<WorldSeen>
}

/**
 * Joins a Golem's parts: its state in the store, its bounds and its row on the chain, its key. What does not fit
 * together, such as another strategy or another constitution than the signed one, stops it before its first tick.
 *
 * @example
 * const golem = await createGolem({ id, store, client, deployment, book, clock, keys, settings })
 * const { is } = await golem.tick()
 */
export async function createGolem(given: GolemParts): Promise<LivingGolem> {
  const parts = { ...given, keys: lenientKeys(given.keys) }
  const { id, store, clock, settings, onStep } = parts
  const openDesk = createDesk(parts)
  const keeper = createKeyKeeper(parts)
  let { charter, tickPorts, deathPorts } = await join()
  await warnOfLocalKey(parts, charter)
  const now = () => Math.floor(clock.now() / 1_000)

  async function life(): Promise<Pick<GolemStatus, 'state' | 'death'>> {
    const { state, death } = (await store.lives.find(id)) ?? lost()
    return { state: readStoredState(state), death: readStoredDeath(death) }
  }

  async function join() {
    const charter = await loadCharter(parts)
    const heard = onStep && { onStep }
    return {
      charter,
      tickPorts: { ...keeper.watch(createTickPorts(parts, charter, openDesk), charter), ...heard },
      deathPorts: { ...createDeathPorts(parts, charter, openDesk), ...heard },
    }
  }

  /** Another key has other delegations, whoever put it in its place. */
  async function turnKeys(isDying = false): Promise<void> {
    await follow(await keeper.turn(charter, isDying))
  }

  async function follow(key: Address | undefined): Promise<void> {
    if (key && !isAddressEqual(key, charter.links[0].delegate))
      ({ charter, tickPorts, deathPorts } = await join())
  }

  async function tick(): Promise<GolemTick> {
    const { state, death } = await life()
    if (death) return die(state)
    const result = await beat(await bootPorts(state), state, now())
    if (result.is === 'overtaken') return result
    return result.fate ? end(result.fate) : { is: 'ticked', state: result.state }
  }

  /**
   * Keys are turned first, and nothing is sensed before the constitution was seen to be the signed one, be it that nobody
   * answers at first.
   */
  async function bootPorts({ health }: GolemState): Promise<TickPorts> {
    try {
      await turnKeys()
      if (health === undefined) await requireConstitution(parts, charter)
      return tickPorts
    } catch (error) {
      if (!outageOf(error)) throw error
      return { ...tickPorts, sense: () => Promise.reject(error) }
    }
  }

  /** Nothing of the chain is asked for: the kill switch works in an outage too. */
  async function doom(trigger: DeathTrigger): Promise<void> {
    await turnKeys(true)
    const { survivalScore } = (await life()).state
    await acceptDeath(deathPorts, { golem: id, trigger, now: now(), survivalScore })
  }

  async function end(trigger: DeathTrigger): Promise<GolemTick> {
    await doom(trigger)
    return die((await life()).state)
  }

  async function die(state: GolemState): Promise<GolemTick> {
    const death = (await goOn(state)) ?? lost()
    const phase = deathPhaseOf(death)
    // Another worker may have wiped it from the store while this one had it open.
    if (phase === 'over') await parts.keys.wipe()
    return { is: 'dying', death, phase }
  }

  /** As far as it gets. While the chain cannot be reached it stays where it is, and the next tick goes on. */
  async function goOn(state: GolemState): Promise<Death | undefined> {
    try {
      return await runDeath(deathPorts, id, await figures(state), now)
    } catch (error) {
      if (outageOf(error) !== 'rpcOutage') throw error
      return (await life()).death
    }
  }

  async function figures({ tick: ticks }: GolemState): Promise<LifeFigures> {
    const seen = await readWorld(parts, charter)
    const { at, holdings } = seen
    const { window } = await livelihood(parts, charter, seen)
    return {
      ticks,
      totalCostCents: costOf(settings.economy.dailyCosts, at - BigInt(window.start)),
      finalNavCents: holdings.reduce((sum, { cents, vaultCents }) => sum + cents + vaultCents, 0n),
      permissions: charter.own.map((link) => hashDelegation(link)),
    }
  }

  /** With the key that is in use now, whoever put it there. */
  async function acting(): Promise<Acting> {
    await follow((await activeKey(store, id))?.address)
    return { parts, ports: tickPorts, life, explain, now }
  }

  async function explain(intention: Intention): Promise<Explanation> {
    return explainWish(parts, charter, await buildAction(parts, charter, intention))
  }

  return {
    id,
    tick,
    kill: () => end('killSwitch'),
    doom,
    end,
    async rotate(reason) {
      const rotation = await keeper.rotate(charter, reason)
      await turnKeys()
      return rotation
    },
    replicate: (wish) => replicate(parts, charter, openDesk, wish),
    endReplicant: (child) => endChild(parts, charter, openDesk, child),
    preview: async (intention) => previewIntention(await acting(), intention),
    commit: async (permitId, intentId) => commitPermit(await acting(), permitId, intentId),
    draw: async (call) => drawRunway(await acting(), parts, openDesk, call),
    explain,
    status: async () => ({ charter, ...(await life()) }),
    look: () => readWorld(parts, charter),
  }
}

/** The boot check: before the first tick the owner's constitution is the one that was signed. */
async function requireConstitution(parts: GolemParts, charter: Charter): Promise<void> {
  const { constitutionChanged } = await readWorld(parts, charter)
  if (!constitutionChanged) return
  throw new BardoError('The constitution is not the one that was signed.', {
    code: 'CONFIG_INVALID',
    details: [`signed: ${charter.terms.constitution}`],
    remedy: 'Adopt the signed constitution again, or sign for the new one.',
    docsPath: 'golem.md#the-runtime',
  })
}

function lost(): never {
  throw new BardoError('The Golem’s life is not in the store.', { code: 'STORE_CORRUPT' })
}
