import { BardoError } from '@bardo/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { GolemEvent } from '../events/golemEvent.ts'
import {
  advanceDeath,
  beginDeath,
  type Death,
  type DeathStep,
  deathPhaseOf,
  deathSteps,
  nextDeathStep,
  requireNotDying,
} from '../state/death.ts'
import { acceptDeath, type DeathPorts, runDeath } from './runDeath.ts'
import { settlementOf } from './settlementOf.ts'

const golem = 'alpha'
const steps = deathSteps.map(([, step]) => step)
const figures = { ticks: 42, totalCostCents: 700n, finalNavCents: 90_000n, permissions: ['0x01'] } as const
const begun = beginDeath(undefined, { golem, trigger: 'naturalExpiry', now: 1_000 })
const settled = { id: 'lp-1', recoveredCents: 5_000n, transaction: '0xaa' } as const

class Crash extends Error {}

/** A world that counts effects, and a process that crashes at the `crashAt`-th point. */
function createWorld(impossible: Partial<Record<DeathStep, string>> = {}) {
  let stored: Death = begun
  const events: GolemEvent[] = []
  const effects = new Set<string>()
  const order: string[] = []
  let left = Number.POSITIVE_INFINITY
  const moment = () => {
    left -= 1
    if (left < 0) throw new Crash()
  }
  const done = (step: DeathStep) => async (_: Death, intentId: string) => {
    moment()
    // Like a journal or a conditional write: the same id has its effect once.
    if (!effects.has(intentId)) order.push(step)
    effects.add(intentId)
    moment()
    return { kind: 'done' } as const
  }
  const tried = (step: DeathStep) => async (death: Death, intentId: string) => {
    const because = impossible[step]
    if (because !== undefined) {
      moment()
      return { kind: 'impossible', because } as const
    }
    const result = await done(step)(death, intentId)
    if (step !== 'settle') return result
    return { ...result, unwound: { settled: [settled], deferred: [], slippageCostCents: 12n } }
  }
  const perform: DeathPorts['perform'] = {
    postDeclining: tried('postDeclining'),
    clearDreaming: tried('clearDreaming'),
    settle: tried('settle'),
    postTerminal: tried('postTerminal'),
    settleLate: tried('settleLate'),
    writeTestament: done('writeTestament'),
    surrender: tried('surrender'),
    fileRevocation: done('fileRevocation'),
    wipe: done('wipe'),
    deregister: done('deregister'),
  }
  const ports: DeathPorts = {
    load: async () => stored,
    async save(death, newEvents) {
      moment()
      if (death.version !== stored.version + 1) return false
      stored = death
      events.push(...newEvents)
      moment()
      return true
    },
    perform,
  }
  return {
    ports,
    events,
    order,
    run: (crashAt = Number.POSITIVE_INFINITY) => {
      left = crashAt
      return runDeath(ports, golem, figures, () => 1_000)
    },
    get stored() {
      return stored
    },
  }
}

describe('a death', () => {
  it('goes through its four phases in order', async () => {
    const world = createWorld()
    await world.run()
    expect(world.order).toEqual([
      'postDeclining',
      'clearDreaming',
      'settle',
      'postTerminal',
      'settleLate',
      'writeTestament',
      'surrender',
      'fileRevocation',
      'wipe',
      'deregister',
    ])
    expect(world.events.map(({ name }) => name)).toEqual([
      'PositionsUnwound',
      'GOLEM_TERMINAL',
      'PositionsUnwound',
      'PERMISSION_REVOKED',
      'DeathCompleted',
    ])
    expect(world.events[0]).toMatchObject({
      positionsExited: 1,
      totalRecoveredCents: 5_000n,
      slippageCostCents: 12n,
    })
    expect(deathPhaseOf(world.stored)).toBe('over')
  })

  it('ends the same, with each step done once, wherever it crashes', async () => {
    const whole = createWorld()
    await whole.run()
    // Four points per step: before and after its effect, before and after it is stored.
    for (let crashAt = 0; crashAt < steps.length * 4; crashAt += 1) {
      const world = createWorld()
      await expect(world.run(crashAt)).rejects.toThrow(Crash)
      await world.run()
      expect(world.stored).toEqual(whole.stored)
      expect(world.order).toEqual(whole.order)
      expect(world.events).toEqual(whole.events)
    }
  })

  it('ends the same after any number of crashes', async () => {
    const whole = createWorld()
    await whole.run()
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(12), { maxLength: 30 }), async (crashes) => {
        const world = createWorld()
        for (const crashAt of crashes) await world.run(crashAt).catch(() => undefined)
        await world.run()
        expect(world.stored).toEqual(whole.stored)
        expect(world.order).toEqual(whole.order)
        expect(world.events).toEqual(whole.events)
      }),
    )
  })

  it('ends once when two workers continue it at the same time', async () => {
    const world = createWorld()
    await Promise.all([world.run(), world.run()])
    expect(world.order).toEqual(steps)
    expect(world.events.filter(({ name }) => name === 'DeathCompleted')).toHaveLength(1)
  })

  it('ends without a key too, records impossible steps, and claims no surrender', async () => {
    const lost = 'the key is wiped'
    const world = createWorld({
      postDeclining: lost,
      clearDreaming: lost,
      postTerminal: lost,
      surrender: lost,
    })
    await world.run()
    expect(world.order).toEqual([
      'settle',
      'settleLate',
      'writeTestament',
      'fileRevocation',
      'wipe',
      'deregister',
    ])
    expect(world.stored.impossible.map(({ step }) => step)).toEqual([
      'postDeclining',
      'clearDreaming',
      'postTerminal',
      'surrender',
    ])
    expect(world.events.some(({ name }) => name === 'PERMISSION_REVOKED')).toBe(false)
    expect(world.events.filter(({ name }) => name === 'death.stepImpossible')).toHaveLength(4)
  })
})

describe('dying', () => {
  it('begins once for any number of callers', async () => {
    let stored: Death | undefined
    const recorded: GolemEvent[] = []
    const ports: Pick<DeathPorts, 'load' | 'save'> = {
      load: async () => stored,
      async save(death, events) {
        if (stored) return false
        stored = death
        recorded.push(...events)
        return true
      },
    }
    const triggers = ['killSwitch', 'naturalExpiry', 'policyViolation'] as const
    const accept = (trigger: (typeof triggers)[number], now: number) =>
      acceptDeath(ports, { golem, trigger, now, survivalScore: 4_200 })
    const deaths = await Promise.all(triggers.map(accept))
    expect(new Set(deaths)).toEqual(new Set([stored]))
    expect(await accept('naturalExpiry', 99)).toBe(stored)
    expect(recorded).toEqual([{ name: 'DeathProtocolStarted', trigger: 'killSwitch', vitalityScore: 4_200 }])
  })

  it('leaves nothing to sweep with a delegation, and a sweep manifest with a wallet', () => {
    const remains = {
      custody: 'delegation',
      delegationHash: '0x01',
      metabolism: { sustainabilityRatio: 0.2 },
      lifetimeRevenueCents: 5n,
      lifetimeInferenceCents: 9n,
    } as const
    const death = { ...begun, unwound: { settled: [settled], deferred: [], slippageCostCents: 0n } }
    expect(settlementOf(death, remains)).toMatchObject({
      type: 'delegationExpiry',
      cause: 'naturalExpiry',
      settled: [settled],
    })
    expect(settlementOf({ ...death, trigger: 'economicExhaustion' }, remains)).toMatchObject({
      type: 'economicExhaustion',
      finalSustainabilityRatio: 0.2,
      inner: { type: 'delegationExpiry', cause: 'ownerRevocation' },
    })
    const wallet = { id: 'w', owner: '0x02' }
    expect(settlementOf(death, { ...remains, custody: 'embedded', wallet })).toMatchObject({
      type: 'sweep',
      manifest: { sweepTo: '0x02', recoveredCents: 5_000n },
    })
  })

  it('cannot begin a second time', () => {
    expect(beginDeath(begun, { golem, trigger: 'killSwitch', now: 5_000 })).toBe(begun)
  })

  it('waits for the settlement, but not forever', () => {
    const at = (step: DeathStep): Death => ({ ...begun, stepsDone: steps.indexOf(step) })
    const waiting = { kind: 'waiting' } as const
    const settling = at('settle')
    expect(advanceDeath(settling, waiting, begun.settleUntil - 1)).toBe(settling)
    expect(advanceDeath(settling, waiting, begun.settleUntil)).toMatchObject({
      stepsDone: settling.stepsDone + 1,
      impossible: [{ step: 'settle', because: 'the settlement took too long' }],
    })
    for (const step of ['postDeclining', 'postTerminal', 'surrender', 'fileRevocation', 'wipe'] as const) {
      expect(advanceDeath(at(step), waiting, begun.settleUntil + 9)).toEqual(at(step))
    }
  })

  it('counts a position once, and as closed if it was closed late', () => {
    const unwound = { settled: [], deferred: [{ id: 'lp-1', reason: 'locked' }], slippageCostCents: 3n }
    const first = advanceDeath({ ...begun, stepsDone: 2 }, { kind: 'done', unwound }, 1_000)
    const late = { settled: [settled, settled], deferred: [], slippageCostCents: 4n }
    const second = advanceDeath({ ...first, stepsDone: 4 }, { kind: 'done', unwound: late }, 1_000)
    expect(second.unwound).toEqual({ settled: [settled], deferred: [], slippageCostCents: 7n })
  })

  it('only advances, and ends', () => {
    let death = begun
    for (let step = nextDeathStep(death); step; step = nextDeathStep(death)) {
      const next = advanceDeath(death, { kind: 'done' }, 1_000)
      expect(next.stepsDone).toBe(death.stepsDone + 1)
      death = next
    }
    expect(advanceDeath(death, { kind: 'done' }, 1_000)).toBe(death)
  })

  it('refuses feeds and requests from its beginning to after its end', () => {
    expect(() => requireNotDying(undefined)).not.toThrow()
    for (const stepsDone of [0, 5, steps.length]) {
      try {
        requireNotDying({ ...begun, stepsDone })
        expect.unreachable()
      } catch (error) {
        expect(error).toBeInstanceOf(BardoError)
        expect(error).toMatchObject({ code: 'GOLEM_DYING', outcome: 'not-sent', retryable: false })
      }
    }
  })
})
