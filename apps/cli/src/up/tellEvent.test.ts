import { describe, expect, it } from 'vitest'
import { sayGolem } from '../watch/sayGolem.ts'
import { phaseWords, stateWords } from '../watch/stateWords.ts'
import { deathWords, observeWords, revokedWords } from './reasonWords.ts'
import { tellEvent } from './tellEvent.ts'

const phases = ['thriving', 'stable', 'conservation', 'declining', 'terminal'] as const
const statuses = ['onboarding', 'alive', 'observing', 'dying', 'dead'] as const

describe('how a Golem is', () => {
  it('reads as English in every status and phase', () => {
    const said = statuses.flatMap((status) => phases.map((phase) => stateWords(status, phase).join('')))
    expect([...new Set(said)]).toEqual([
      'being summoned',
      'alive and thriving',
      'alive and stable',
      'alive, in conservation',
      'alive and declining',
      'alive, in its terminal phase',
      'only looking on and thriving',
      'only looking on and stable',
      'only looking on, in conservation',
      'only looking on and declining',
      'only looking on, in its terminal phase',
      'dying',
      'dead',
    ])
  })

  it('is one sentence', () => {
    const row = { id: '0x1', name: 'Beta', nextTick: null, survivalScore: 4_190, health: 'low' } as const
    const golem = { ...row, history: [], isBehind: false, seen: undefined, status: 'alive' } as const
    expect(sayGolem({ ...golem, phase: 'conservation' })).toBe(
      'Beta is alive, in conservation, vitality 41 of 100, permission low.',
    )
  })
})

describe('what happens', () => {
  it.each([
    ['vitals.phaseChanged', { from: 'stable', to: 'conservation' }, 'is in conservation now; it was stable.'],
    ['heartbeat.anomaly', { missed: 1 }, 'missed 1 tick.'],
    ['heartbeat.anomaly', { missed: 2 }, 'missed 2 ticks.'],
    ['PositionsUnwound', { positionsExited: 0, positionsLeft: 0 }, undefined],
    ['PositionsUnwound', { positionsExited: 1, positionsLeft: 0 }, 'closed 1 position.'],
    [
      'PositionsUnwound',
      { positionsExited: 2, positionsLeft: 1 },
      'closed 2 positions, and could not close 1.',
    ],
    ['DeathCompleted', { lifetimeTicks: 1 }, 'is dead after 1 tick.'],
    ['permission.health', { health: 'low' }, 'has a permission that runs low.'],
    ['custody.delegationRevoked', { cause: 'somebody' }, 'lost a delegation: somebody.'],
    ['DeathProtocolStarted', { trigger: 'toString' }, 'is dying: toString.'],
  ])('%s %o', (name, body, sentence) => {
    expect(tellEvent({ name, body })).toBe(sentence)
  })

  it('names no reason as the code does', () => {
    const told = [
      ...Object.keys(deathWords).map((trigger) =>
        tellEvent({ name: 'DeathProtocolStarted', body: { trigger } }),
      ),
      ...Object.keys(observeWords).map((reason) =>
        tellEvent({ name: 'recovery.observing', body: { reason } }),
      ),
      ...Object.keys(revokedWords).map((cause) =>
        tellEvent({ name: 'custody.delegationRevoked', body: { cause } }),
      ),
      ...Object.keys(phaseWords).map((to) =>
        tellEvent({ name: 'vitals.phaseChanged', body: { to, from: to } }),
      ),
    ]
    expect(told).toHaveLength(7 + 8 + 3 + 5)
    for (const sentence of told)
      expect(sentence?.replaceAll(/MetaMask|DelegationManager/g, '')).toMatch(/^[a-z][^A-Z]*\.$/)
  })
})
