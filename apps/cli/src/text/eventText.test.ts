import { deathWords } from '@bardo/golem/deathWords'
import { describe, expect, it } from 'vitest'
import { sayGolem } from '../watch/sayGolem.ts'
import { eventText } from './eventText.ts'
import { observeWords, revokedWords } from './reasonWords.ts'
import { phaseWords, stateWords } from './stateWords.ts'

const phases = ['thriving', 'stable', 'conservation', 'declining', 'terminal'] as const
const statuses = ['onboarding', 'alive', 'observing', 'dying', 'dead'] as const

describe('the state of a Golem', () => {
  it('reads as English in every status and phase', () => {
    const states = statuses.flatMap((status) => phases.map((phase) => stateWords(status, phase).join('')))
    expect([...new Set(states)]).toEqual([
      'being summoned',
      'alive and thriving',
      'alive and stable',
      'alive, in conservation',
      'alive and declining',
      'alive, in its terminal phase',
      'in observe-only mode and thriving',
      'in observe-only mode and stable',
      'in observe-only mode, in conservation',
      'in observe-only mode and declining',
      'in observe-only mode, in its terminal phase',
      'dying',
      'dead',
    ])
  })

  it('is one sentence', () => {
    const row = { id: '0x1', name: 'Beta', nextTick: null, survivalScore: 4_190, health: 'low' } as const
    const golem = {
      ...row,
      history: [],
      isBehind: false,
      seen: undefined,
      status: 'alive',
      paused: false,
    } as const
    expect(sayGolem({ ...golem, phase: 'conservation' })).toBe(
      'Beta is alive, in conservation, vitality 41 of 100, permission low.',
    )
  })
})

describe('an event', () => {
  it.each([
    ['vitals.phaseChanged', { from: 'stable', to: 'conservation' }, 'is now in conservation; it was stable.'],
    ['heartbeat.anomaly', { missed: 1 }, 'missed 1 tick: no worker claimed it.'],
    ['heartbeat.anomaly', { missed: 2 }, 'missed 2 ticks: no worker claimed it.'],
    ['PositionsUnwound', { positionsExited: 0, positionsLeft: 0 }, undefined],
    ['PositionsUnwound', { positionsExited: 1, positionsLeft: 0 }, 'closed 1 position.'],
    [
      'PositionsUnwound',
      { positionsExited: 2, positionsLeft: 1 },
      'closed 2 positions, and could not close 1.',
    ],
    ['DeathCompleted', { lifetimeTicks: 1 }, 'is dead after 1 tick.'],
    ['permission.health', { health: 'low' }, 'has a permission that is running low.'],
    ['custody.delegationRevoked', { cause: 'unknown' }, 'had a delegation revoked: unknown.'],
    [
      'custody.delegationExpiring',
      { secondsRemaining: '82800' },
      'has a permission that ends in 23 hours; renew it with bardo feed.',
    ],
    [
      'sessionKey.budgetWarning',
      { remainingBps: 1_950, estimatedOperationsLeft: '2' },
      'has 19 % of its daily limit left: 2 more of this size.',
    ],
    [
      'sessionKey.budgetWarning',
      { remainingBps: 0, estimatedOperationsLeft: '0' },
      'has 0 % of its daily limit left.',
    ],
    [
      'custody.sessionKeyRotated',
      { newAddress: '0xab', reason: 'age' },
      'has a new session key (the old key reached its maximum age): 0xab',
    ],
    [
      'sessionKey.revoked',
      { cause: { kind: 'expired', at: '1' } },
      'has a session key that lost its authority: it expired.',
    ],
    [
      'sessionKey.revoked',
      { cause: { kind: 'revoked', transaction: '0xab', at: '1' } },
      'has a session key that lost its authority: it was revoked (0xab).',
    ],
    [
      'sessionKey.revoked',
      { cause: { kind: 'revoked', transaction: `0x${'0'.repeat(64)}`, at: '1' } },
      'has a session key that lost its authority: it was revoked.',
    ],
    ['DeathProtocolStarted', { trigger: 'toString' }, 'is dying: toString.'],
  ])('%s %o', (name, body, sentence) => {
    expect(eventText({ name, body })).toBe(sentence)
  })

  it('shows every known reason in words, not as its identifier', () => {
    const sentences = [
      ...Object.keys(deathWords).map((trigger) =>
        eventText({ name: 'DeathProtocolStarted', body: { trigger } }),
      ),
      ...Object.keys(observeWords).map((reason) =>
        eventText({ name: 'recovery.observing', body: { reason } }),
      ),
      ...Object.keys(revokedWords).map((cause) =>
        eventText({ name: 'custody.delegationRevoked', body: { cause } }),
      ),
      ...Object.keys(phaseWords).map((to) =>
        eventText({ name: 'vitals.phaseChanged', body: { to, from: to } }),
      ),
    ]
    expect(sentences).toHaveLength(7 + 11 + 4 + 5)
    for (const sentence of sentences)
      expect(sentence?.replaceAll(/MetaMask|DelegationManager|ETH/g, '')).toMatch(/^[a-z][^A-Z]*\.$/)
  })
})
