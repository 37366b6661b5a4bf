import { compileStrategy } from '@bardo/core'
import { defaultSchedule } from '../../config/heartbeatSchedule.ts'
import type { GolemEvent } from '../../events/golemEvent.ts'
import { calm } from '../../mood/mood.ts'
import type { ActResult, Senses, TickPorts } from '../../snapshot/tickPorts.ts'
import { type GolemState, newGolem, type Publication } from '../../state/golemState.ts'
import { dcaStrategy } from '../../strategy/dcaStrategy.ts'
import { type TickResult, tick } from '../tick.ts'

/** The start time of every simulated Golem, in Unix seconds. */
export const birth = 1_800_000_000

/** Simulates a crash of the process. */
export class Crash extends Error {}

/** A simulated Golem, and what a test may change in it. */
export type Life = {
  /** The Golem's row on the chain. */
  readonly shown: { now: Publication & { at: number } }
  /** Intent ids, in the order in which they took effect. */
  readonly effects: readonly string[]
  /** Every call that left the process. */
  readonly calls: readonly string[]
  readonly events: readonly GolemEvent[]
  readonly stored: GolemState
  /** Changes to the senses of a normal day. */
  change: Partial<Senses>
  outcome: ActResult
  ports: TickPorts
  names(): readonly GolemEvent['name'][]
  /** Ticks once, `seconds` after the start; the process crashes at call number `crashAt`. */
  tick(seconds?: number, crashAt?: number): Promise<TickResult>
}

/**
 * A Golem with a simulated chain and database: an effect happens once for each intent id, as with the
 * journal, and writes are conditional. Everything else is the production code.
 */
export function createLife(): Life {
  const { plan } = compileStrategy('Every day, swap $50 of USDC into WETH.\n\nlifespan: 30 days', {
    now: BigInt(birth),
  })
  const shown: Life['shown'] = {
    now: { phase: 'thriving', survivalScore: 10_000, dreaming: false, mood: calm, at: birth },
  }
  const effects: string[] = []
  const calls: string[] = []
  const events: GolemEvent[] = []
  let stored: GolemState = newGolem('alpha', birth, 300)
  let moments = Number.POSITIVE_INFINITY
  let time = birth
  const moment = (call: string) => {
    calls.push(call)
    moments -= 1
    if (moments < 0) throw new Crash(call)
  }
  const once = (intentId: string, effect: () => void) => {
    if (effects.includes(intentId)) return
    effects.push(intentId)
    effect()
  }
  const life: Life = {
    shown,
    effects,
    calls,
    events,
    change: {},
    outcome: { type: 'landed', transaction: '0xaa', spentCents: 5_000n },
    ports: {
      schedule: defaultSchedule,
      strategy: dcaStrategy,
      random: () => 1,
      async sense() {
        moment('sense')
        return { ...goodDay(), ...life.change }
      },
      async publish(intentId, publication) {
        moment('before publish')
        once(intentId, () => {
          shown.now = { ...publication, at: time }
        })
        moment('after publish')
      },
      spawn: async () => undefined,
      async authorize() {
        moment('guard')
        return { type: 'allowed', capabilityId: 'permit', valueCents: 5_000n }
      },
      async execute({ intentId }) {
        moment('before act')
        if (life.outcome.type !== 'onItsWay') once(intentId, () => {})
        moment('after act')
        return life.outcome
      },
      async save(state, recorded) {
        moment('before save')
        if (state.version !== stored.version + 1) return false
        stored = state
        events.push(...recorded)
        moment('after save')
        return true
      },
    },
    get stored() {
      return stored
    },
    names: () => events.map(({ name }) => name),
    async tick(seconds = 0, crashAt = Number.POSITIVE_INFINITY) {
      moments = crashAt
      time = birth + seconds
      return tick(life.ports, stored, time)
    },
  }

  function goodDay(): Senses {
    return {
      at: time,
      economy: {
        revenueCents: 500n,
        costs: { inference: 50n, gas: 30n, compute: 10n, data: 10n },
        remainingCents: 100_000n,
      },
      permission: {
        revoked: false,
        dailyCap: 1_000n,
        remainingToday: 900n,
        secondsLeft: 20n * 86_400n,
      },
      delegation: `0x${'d1'.repeat(32)}`,
      prices: [],
      ownerSignatures: 0,
      shown: shown.now,
      graceSeconds: 3_600,
      fate: {
        revocation: { seen: false, final: false, hasSuccessor: false, isReplacing: false },
        isOrphan: false,
        windowEnd: plan.window.end,
        calls: undefined,
        constitutionChanged: false,
      },
      view: {
        plan,
        holdings: [{ symbol: 'USDC', cents: 100_000n, vaultCents: 0n }],
        leftTodayCents: plan.dayCents,
        lastExecutionAt: undefined,
      },
    }
  }
  return life
}
