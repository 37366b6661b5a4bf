import { BardoError, hashDelegation } from '@bardo/core'
import type { Hash } from 'viem'
import type { Death, DeathTrigger } from '../death/death.ts'
import { deathPhaseOf } from '../death/death.ts'
import { acceptDeath, type LifeFigures, runDeath } from '../death/runDeath.ts'
import type { GolemState } from '../heartbeat/golemState.ts'
import { tick as beat, type TickResult } from '../heartbeat/tick.ts'
import { type Charter, loadCharter } from './charter.ts'
import { createDeathPorts } from './createDeathPorts.ts'
import { createDesk } from './createDesk.ts'
import { createTickPorts } from './createTickPorts.ts'
import { costOf } from './economyAt.ts'
import type { GolemParts } from './golemParts.ts'
import { readWorld, type WorldSeen } from './readWorld.ts'
import { readStoredDeath, readStoredState } from './storedLife.ts'

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
  /** Begins its death for another reason, and goes as far with it as can be gone now. */
  end(trigger: DeathTrigger): Promise<GolemTick>
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
export async function createGolem(parts: GolemParts): Promise<LivingGolem> {
  const { id, store, clock, settings } = parts
  const charter = await loadCharter(parts)
  const openDesk = createDesk(parts)
  const tickPorts = createTickPorts(parts, charter, openDesk)
  const deathPorts = createDeathPorts(parts, charter, openDesk)
  const now = () => Math.floor(clock.now() / 1_000)

  async function life(): Promise<Pick<GolemStatus, 'state' | 'death'>> {
    const { state, death } = (await store.lives.find(id)) ?? lost()
    return { state: readStoredState(state), death: readStoredDeath(death) }
  }

  async function tick(): Promise<GolemTick> {
    const { state, death } = await life()
    if (death) return die(state)
    if (state.tick === 0) await requireConstitution(parts, charter)
    const result = await beat(tickPorts, state, now())
    if (result.is === 'overtaken') return result
    return result.fate ? end(result.fate) : { is: 'ticked', state: result.state }
  }

  async function end(trigger: DeathTrigger): Promise<GolemTick> {
    const { vitals } = await readWorld(parts, charter)
    const start = { golem: id, trigger, now: now(), survivalScore: vitals.survivalScore }
    await acceptDeath(deathPorts, start)
    return die((await life()).state)
  }

  async function die(state: GolemState): Promise<GolemTick> {
    const death = (await runDeath(deathPorts, id, await figures(state), now)) ?? lost()
    return { is: 'dying', death, phase: deathPhaseOf(death) }
  }

  async function figures({ tick: ticks }: GolemState): Promise<LifeFigures> {
    const { at, holdings } = await readWorld(parts, charter)
    return {
      ticks,
      totalCostCents: costOf(settings.economy.dailyCosts, at - BigInt(charter.terms.start)),
      finalNavCents: holdings.reduce((sum, { cents, vaultCents }) => sum + cents + vaultCents, 0n),
      permissions: charter.links.map((link) => hashDelegation(link)),
    }
  }

  return {
    id,
    tick,
    kill: () => end('killSwitch'),
    end,
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
