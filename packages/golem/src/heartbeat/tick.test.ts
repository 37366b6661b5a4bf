import { BardoError } from '@bardo/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decide } from '../action/decide.ts'
import { secret } from '../config/secret.ts'
import type { Senses, TickPorts } from '../snapshot/tickPorts.ts'
import { viewOf } from '../strategy/testing/view.ts'
import { assertNoSecret } from '../testing/assertNoSecret.ts'
import { birth, Crash, createLife } from './testing/life.ts'
import { tick } from './tick.ts'

const act = 'alpha:tick:1:act'
const rpcDown = () => new BardoError('The chain cannot be reached.', { code: 'RPC_UNAVAILABLE' })
const broke = {
  economy: {
    revenueCents: 0n,
    costs: { inference: 100n, gas: 0n, compute: 0n, data: 0n },
    remainingCents: 200n,
  },
}

describe('a tick', () => {
  it('senses, decides, guards, stores, acts and records, in this order', async () => {
    const life = createLife()
    const result = await life.tick()
    expect(life.calls).toEqual([
      'sense',
      'guard',
      'before save',
      'after save',
      'before act',
      'after act',
      'before save',
      'after save',
    ])
    expect(life.effects).toEqual([act])
    expect(life.names()).toEqual([
      'permission.health',
      'action.intended',
      'action.landed',
      'heartbeat.ticked',
    ])
    expect(result).toMatchObject({
      type: 'ticked',
      fate: undefined,
      state: { tick: 1, version: 2, pending: undefined, nextTickAt: birth + 300 },
    })
    expect(life.stored.pending).toBeUndefined()
  })

  it('records why it waits', async () => {
    const life = createLife()
    life.ports = { ...life.ports, schedule: { ...life.ports.schedule, quietHours: [{ from: 0, to: 1_439 }] } }
    await life.tick()
    expect(life.events).toContainEqual({ name: 'action.waited', because: 'quiet hours' })
    expect(life.effects).toEqual([])
  })

  it('only advances the phase, publishes it at once, and goes back only for the owner', async () => {
    const life = createLife()
    life.change = broke
    await life.tick()
    expect(life.stored.phase).toBe('declining')
    expect(life.shown.now).toMatchObject({ phase: 'declining', survivalScore: 2_857 })
    life.change = {}
    await life.tick(300)
    expect(life.stored.phase).toBe('declining')
    // A publication that a reorganisation removed is not a reset.
    life.shown.now = { ...life.shown.now, phase: 'stable' }
    await life.tick(600)
    expect(life.stored.phase).toBe('declining')
    life.shown.now = { ...life.shown.now, phase: 'stable' }
    life.change = { ownerSignatures: 1 }
    await life.tick(900)
    expect(life.stored).toMatchObject({ phase: 'stable', ownerSignatures: 1 })
  })

  it('warns once when a day is left, also if its health was critical before, and again after a renewal', async () => {
    const life = createLife()
    const permission = { revoked: false, dailyCap: 1_000n, remainingToday: 1n }
    const ends = birth + 30 * 86_400
    const at = async (seconds: number, end = ends) => {
      const secondsLeft = BigInt(end - birth - seconds)
      life.change = { permission: { ...permission, secondsLeft } }
      await life.tick(seconds)
      return life.events.filter(({ name }) => name === 'custody.delegationExpiring')
    }
    expect(await at(0)).toEqual([])
    expect(life.stored.health).toBe('critical')
    expect(await at(29 * 86_400 - 1)).toEqual([])
    const warning = {
      name: 'custody.delegationExpiring',
      delegationHash: `0x${'d1'.repeat(32)}`,
      secondsRemaining: 86_400n,
    }
    expect(await at(29 * 86_400)).toEqual([warning])
    expect(await at(29 * 86_400 + 300)).toEqual([warning])
    const renewed = ends + 30 * 86_400
    expect(await at(29 * 86_400 + 600, renewed)).toEqual([warning])
    expect(await at(59 * 86_400 + 60, renewed)).toHaveLength(2)
  })

  it('follows the chain if its own state is older', async () => {
    const life = createLife()
    life.shown.now = { ...life.shown.now, phase: 'conservation' }
    await life.tick()
    expect(life.stored.phase).toBe('conservation')
    expect(life.effects).not.toContain(act)
  })

  it('publishes at least every half grace period', async () => {
    const life = createLife()
    await life.tick(1_799)
    expect(life.effects).not.toContain('alpha:tick:1:publish')
    await life.tick(1_800)
    expect(life.effects).toContain('alpha:tick:2:publish')
  })
})

describe('a step that fails', () => {
  const failing: [string, (ports: TickPorts) => TickPorts, string[]][] = [
    [
      'sense',
      (ports) => ({ ...ports, sense: async () => Promise.reject(new Error('x')) }),
      ['before save', 'after save'],
    ],
    [
      'publish',
      (ports) => ({ ...ports, publish: async () => Promise.reject(new Error('x')) }),
      ['sense', 'before save', 'after save'],
    ],
    [
      'decide',
      (ports) => ({ ...ports, strategy: async () => Promise.reject(new Error('x')) }),
      ['sense', 'before publish', 'after publish', 'before save', 'after save'],
    ],
    [
      'guard',
      (ports) => ({ ...ports, authorize: async () => Promise.reject(new Error('x')) }),
      ['sense', 'before publish', 'after publish', 'before save', 'after save'],
    ],
    [
      'act',
      (ports) => ({ ...ports, execute: async () => Promise.reject(new Error('x')) }),
      [
        'sense',
        'before publish',
        'after publish',
        'guard',
        'before save',
        'after save',
        'before save',
        'after save',
      ],
    ],
  ]

  it.each(failing)('is recorded, and the steps after it are skipped: %s', async (step, breakIt, calls) => {
    const life = createLife()
    life.shown.now = { ...life.shown.now, survivalScore: 5_000 }
    life.ports = breakIt(life.ports)
    await life.tick()
    expect(life.calls).toEqual(calls)
    expect(life.events).toContainEqual({
      name: 'heartbeat.stepFailed',
      step,
      failure: { code: 'UNKNOWN', message: 'Unexpected Error', outcome: 'unknown' },
    })
    expect(life.stored.tick).toBe(1)
    expect(life.stored.pending?.intentId).toBe(step === 'act' ? act : undefined)
  })

  it.each<[string, Partial<Senses>]>([
    ['account', { economy: { ...broke.economy, revenueCents: -1n } }],
    ['judge', { epistemic: 2 }],
  ])('is recorded for inconsistent numbers: %s', async (step, change) => {
    const life = createLife()
    life.change = change
    await life.tick()
    expect(life.events).toContainEqual(expect.objectContaining({ name: 'heartbeat.stepFailed', step }))
    expect(life.effects).toEqual([])
    expect(life.stored.phase).toBe('thriving')
  })

  it('fails the whole tick if the database refuses writes', async () => {
    const life = createLife()
    life.ports = { ...life.ports, save: async () => Promise.reject(new Error('disk full')) }
    await expect(life.tick()).rejects.toThrow('disk full')
    expect(life.effects).toEqual([])
    expect(life.stored.tick).toBe(0)
  })

  it('records nothing of an unknown error’s message', async () => {
    const canary = secret('https://rpc.example/v2/0123456789abcdef')
    const life = createLife()
    life.ports = { ...life.ports, sense: async () => Promise.reject(new Error(canary.reveal())) }
    await life.tick()
    assertNoSecret([life.events, life.stored], [canary])
  })
})

describe('an outage', () => {
  it('causes observe-only mode with growing waits, and ends with the outage', async () => {
    const life = createLife()
    const { sense } = life.ports
    life.ports = { ...life.ports, sense: async () => Promise.reject(rpcDown()) }
    const waits: number[] = []
    for (let now = 0; waits.length < 12; now = life.stored.nextTickAt - birth) {
      await life.tick(now)
      waits.push(life.stored.nextTickAt - birth - now)
    }
    expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 1_280, 1_800, 1_800, 1_800])
    expect(life.stored.recovery).toMatchObject({
      type: 'observing',
      reason: 'rpcOutage',
      since: birth,
      attempts: 12,
    })
    life.ports = { ...life.ports, sense }
    await life.tick(9_000)
    expect(life.stored.recovery).toEqual({ type: 'acting' })
    expect(life.effects).toContain('alpha:tick:13:act')
    expect(life.names().filter((name) => name.startsWith('recovery.'))).toEqual([
      'recovery.observing',
      'recovery.acting',
    ])
  })

  it('of the manager stops actions, not ticks', async () => {
    const life = createLife()
    life.change = { outage: 'managerPaused' }
    await life.tick(1_800)
    expect(life.effects).toEqual(['alpha:tick:1:publish'])
    expect(life.events).toContainEqual(expect.objectContaining({ name: 'action.waited' }))
  })

  it('of the key stops both', async () => {
    const life = createLife()
    life.change = { outage: 'keyLost' }
    await life.tick(1_800)
    expect(life.effects).toEqual([])
  })

  it('during an action leaves it pending, and nothing new begins before it is finished', async () => {
    const life = createLife()
    const { execute: real } = life.ports
    life.ports = { ...life.ports, execute: async () => Promise.reject(rpcDown()) }
    await life.tick()
    expect(life.stored.pending?.intentId).toBe(act)
    life.ports = { ...life.ports, execute: real }
    life.change = { outage: 'managerPaused' }
    await life.tick(5)
    expect(life.stored.pending?.intentId).toBe(act)
    expect(life.effects).toEqual([])
    life.change = {}
    life.outcome = { type: 'onItsWay' }
    await life.tick(10)
    expect(life.stored.pending?.intentId).toBe(act)
    life.outcome = { type: 'landed', transaction: '0xaa', spentCents: 1n }
    await life.tick(15)
    expect(life.effects).toEqual([act])
    expect(life.calls.filter((call) => call === 'guard')).toHaveLength(1)
  })
})

describe('a refusal', () => {
  const error = new BardoError('Link 0, caveat 2: the target is not listed.', { code: 'REDEMPTION_REFUSED' })

  it('by the runtime is a warning, and raises arousal', async () => {
    const life = createLife()
    life.ports = { ...life.ports, authorize: async () => ({ type: 'refused', error }) }
    for (let turn = 0; turn < 5; turn += 1)
      expect(await life.tick(turn * 300)).toMatchObject({ fate: undefined })
    expect(life.effects.filter((id) => id.endsWith('act'))).toEqual([])
    expect(life.stored.mood.arousal).toBeGreaterThan(50)
    expect(life.shown.now.mood.arousal).toBeGreaterThan(50)
    expect(life.events).toContainEqual(
      expect.objectContaining({ name: 'action.refused', source: 'policy_violation', where: 'runtime' }),
    )
  })

  it('by the chain, three times in a day, causes the death', async () => {
    const life = createLife()
    life.outcome = { type: 'refused', error }
    const fates = [await life.tick(0), await life.tick(300), await life.tick(600)]
    expect(fates.map((result) => result.type === 'ticked' && result.fate)).toEqual([
      undefined,
      undefined,
      'policyViolation',
    ])
  })

  it.each([
    'PRICE_MOVED',
    'PRICE_UNUSABLE',
    'TOO_SOON',
    'SPEND_LIMIT_EXCEEDED',
    'GOLEM_DREAMING',
    'RATE_LIMITED',
    'DELEGATION_EXPIRED',
    'DELEGATION_DISABLED',
  ] as const)('by the chain for %s after the guard allowed it is not a violation', async (code) => {
    const life = createLife()
    life.outcome = { type: 'refused', error: new BardoError('It moved.', { code, outcome: 'landed' }) }
    for (const seconds of [0, 300, 600, 900])
      expect(await life.tick(seconds)).toMatchObject({ type: 'ticked', fate: undefined })
    expect(life.stored).toMatchObject({ pending: undefined, chainRefusals: [] })
    expect(life.stored.mood.arousal).toBe(0)
    expect(life.events.filter(({ name }) => name === 'action.postponed')).toHaveLength(4)
  })

  it.each([
    'PRICE_MOVED',
    'PRICE_UNUSABLE',
    'TOO_SOON',
    'GOLEM_DREAMING',
    'DELEGATION_EXPIRED',
    'DELEGATION_DISABLED',
  ] as const)('by the guard for %s is not a violation', async (code) => {
    const life = createLife()
    const moved = new BardoError('It moved.', { code })
    life.ports = { ...life.ports, authorize: async () => ({ type: 'refused', error: moved }) }
    await life.tick()
    expect(life.events.map(({ name }) => name)).toContain('action.postponed')
    expect(life.events.map(({ name }) => name)).not.toContain('action.refused')
  })

  it('by the chain expires after a day', async () => {
    const life = createLife()
    life.outcome = { type: 'refused', error }
    for (const seconds of [0, 300, 86_400 + 1])
      expect(await life.tick(seconds)).toMatchObject({ type: 'ticked', fate: undefined })
    expect(life.stored.chainRefusals).toHaveLength(2)
  })

  it('of an action that was certainly not sent ends it; an uncertain one does not', async () => {
    const life = createLife()
    const used = new BardoError('Used before.', { code: 'CAPABILITY_INVALID' })
    life.ports = { ...life.ports, execute: async () => Promise.reject(used) }
    await life.tick()
    expect(life.stored.pending).toBeUndefined()
    const unsure = new BardoError('The outcome is unknown.', { code: 'OUTCOME_UNKNOWN', outcome: 'unknown' })
    life.ports = { ...life.ports, execute: async () => Promise.reject(unsure) }
    await life.tick(300)
    expect(life.stored.pending).toBeDefined()
  })
})

describe('a death trigger', () => {
  const standing = { seen: false, final: false, hasSuccessor: false, isReplacing: false }

  it.each<[string, Partial<Senses['fate']>]>([
    ['ownerRevocation', { revocation: { ...standing, seen: true, final: true } }],
    ['ownerRevocation', { isOrphan: true }],
    ['policyViolation', { constitutionChanged: true }],
    ['naturalExpiry', { windowEnd: BigInt(birth) - 1n }],
    ['callLimitReached', { calls: { used: 3n, limit: 3n } }],
  ])('stops everything: %s', async (fate, change) => {
    const life = createLife()
    life.change = {
      fate: {
        revocation: standing,
        isOrphan: false,
        windowEnd: BigInt(birth),
        calls: undefined,
        constitutionChanged: false,
        ...change,
      },
    }
    expect(await life.tick()).toMatchObject({ type: 'ticked', fate })
    expect(life.effects).toEqual([])
  })

  it('includes used-up funds, and stays', async () => {
    const life = createLife()
    life.change = { economy: { ...broke.economy, remainingCents: 0n } }
    expect(await life.tick()).toMatchObject({ fate: 'economicExhaustion', state: { phase: 'terminal' } })
    life.change = {}
    expect(await life.tick(300)).toMatchObject({ fate: 'economicExhaustion' })
  })

  it('is evaluated by block time, not by a local clock that jumped', async () => {
    const life = createLife()
    life.change = { at: birth }
    expect(await life.tick(400 * 86_400)).toMatchObject({ type: 'ticked', fate: undefined })
  })
})

describe('a dream', () => {
  it('blocks writes before the oracle shows it, and until the oracle stops showing it', async () => {
    const life = createLife()
    life.ports = {
      ...life.ports,
      schedule: { ...life.ports.schedule, dream: { everySeconds: 3_600, lengthSeconds: 600 } },
    }
    await life.tick(0)
    await life.tick(3_000)
    expect(life.stored.dream.type).toBe('asleep')
    expect(life.shown.now.dreaming).toBe(true)
    expect(life.effects.filter((id) => id.endsWith('act'))).toEqual([act])
    const { publish } = life.ports
    life.ports = { ...life.ports, publish: async () => Promise.reject(rpcDown()) }
    await life.tick(3_600)
    expect(life.stored.dream.type).toBe('waking')
    life.ports = { ...life.ports, publish }
    await life.tick(3_700)
    expect(life.stored.dream.type).toBe('awake')
    expect(life.shown.now.dreaming).toBe(false)
    expect(life.names()).toEqual(expect.arrayContaining(['dream.began', 'dream.ended']))
    expect(life.effects.filter((id) => id.endsWith('act'))).toEqual([act, 'alpha:tick:4:act'])
  })

  it.each(['fallingAsleep', 'asleep', 'waking'] as const)(
    'blocks decisions and actions while %s',
    async (type) => {
      const life = createLife()
      const dream = { type, number: 1, since: birth }
      const view = viewOf('Every week, swap $50 of USDC into WETH.')
      expect(await decide(life.ports, { ...life.stored, dream }, view)).toMatchObject({ type: 'wait' })
      expect(await decide(life.ports, life.stored, view)).toMatchObject({ type: 'swap' })
      // No code path leads here. If one ever does, this check stops it.
      const intention = { type: 'swap', from: 'USDC', to: 'WETH', cents: 1n, because: '' } as const
      const pending = { intentId: act, intention, capabilityId: 'permit', valueCents: 1n }
      const asleep = { ...dream, type: 'asleep' } as const
      await tick(life.ports, { ...life.stored, dream: asleep, pending }, birth)
      expect(life.effects).not.toContain(act)
      expect(life.stored.pending).toEqual(pending)
    },
  )

  it('waits until a pending action is done', async () => {
    const life = createLife()
    life.ports = {
      ...life.ports,
      schedule: { ...life.ports.schedule, dream: { everySeconds: 3_600, lengthSeconds: 600 } },
    }
    life.outcome = { type: 'onItsWay' }
    await life.tick(0)
    await life.tick(3_000)
    expect(life.stored.dream.type).toBe('awake')
  })
})

describe('a crash', () => {
  it('at any point loses nothing and repeats nothing', async () => {
    for (let crashAt = 0; crashAt < 12; crashAt += 1) {
      const life = createLife()
      life.shown.now = { ...life.shown.now, survivalScore: 5_000 }
      const first = await life.tick(0, crashAt).catch((error: unknown) => error)
      if (crashAt < 10) expect(first).toBeDefined()
      await life.tick(1)
      expect(life.effects.filter((id) => id === act)).toHaveLength(1)
      expect(life.effects.filter((id) => id === 'alpha:tick:1:publish').length).toBeLessThanOrEqual(1)
      expect(life.stored.pending).toBeUndefined()
      expect(life.names().filter((name) => name === 'action.intended').length).toBe(
        life.effects.filter((id) => id.endsWith('act')).length,
      )
    }
  })

  it('repeated many times leaves as many intents as effects', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(12), { maxLength: 20 }), async (crashes) => {
        const life = createLife()
        let seconds = 0
        for (const crashAt of [...crashes, 99, 99]) {
          seconds += 60
          await life.tick(seconds, crashAt).catch((error: unknown) => {
            if (!(error instanceof Crash)) throw error
          })
        }
        expect(new Set(life.effects).size).toBe(life.effects.length)
        const intended = life.events.flatMap((event) =>
          event.name === 'action.intended' ? [event.intent] : [],
        )
        const acted = life.effects.filter((id) => id.endsWith('act'))
        expect(new Set(intended)).toEqual(new Set(acted))
        expect(intended).toHaveLength(acted.length)
        expect(life.stored.pending).toBeUndefined()
      }),
    )
  })

  it('is not the only conflict: of two workers one is overtaken', async () => {
    const life = createLife()
    const results = await Promise.all([life.tick(), life.tick()])
    expect(results.map(({ type }) => type).toSorted()).toEqual(['overtaken', 'ticked'])
    expect(life.effects).toEqual([act])
    expect(life.names().filter((name) => name === 'heartbeat.ticked')).toHaveLength(1)
  })
})
