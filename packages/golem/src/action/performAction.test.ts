import { BardoError } from '@bardo/core'
import { describe, expect, it } from 'vitest'
import { defaultSchedule } from '../config/heartbeatSchedule.ts'
import type { ActResult, Authorized } from '../snapshot/tickPorts.ts'
import { type GolemState, newGolem, type Pending } from '../state/golemState.ts'
import { viewOf } from '../strategy/testing/view.ts'
import { type ActionRun, asRefusal, performAction } from './performAction.ts'

const swap = { type: 'swap', from: 'USDC', to: 'WETH', cents: 5_000n, because: 'a test' } as const
const pending: Pending = { intentId: 'old', intention: swap, capabilityId: 'capability', valueCents: 5_000n }
const allowed: Authorized = { type: 'allowed', capabilityId: 'capability', valueCents: 5_000n }
const landed: ActResult = { type: 'landed', transaction: '0xaa', spentCents: 5_000n }
const no = new BardoError('No.', { code: 'ACTION_NOT_ALLOWED' })

/** Performs one action and returns what happened, in order. */
async function perform(
  change: {
    readonly state?: Partial<GolemState>
    readonly authorized?: Authorized
    readonly result?: ActResult
    readonly isOvertaken?: boolean
    readonly waits?: boolean
  } = {},
) {
  const happened: string[] = []
  const note = (what: string) => void happened.push(what)
  let state: GolemState = { ...newGolem('alpha', 0, 300), ...change.state }
  const run: ActionRun = {
    tick: 1,
    intentId: 'new',
    view: viewOf('Every week, swap $50 of USDC into WETH.'),
    state: () => state,
    step: (name, work) => {
      note(name)
      return work()
    },
    async store(stored) {
      note(`store ${stored.intentId}`)
      state = { ...state, pending: stored }
      return !change.isOvertaken
    },
    wait: () => note('wait'),
    end: (intentId, ended) => note(`end ${intentId} ${ended.type}`),
  }
  const ports = {
    schedule: defaultSchedule,
    strategy: async () => (change.waits ? ({ type: 'wait', because: 'a test' } as const) : swap),
    authorize: async () => change.authorized ?? allowed,
    spawn: async () => undefined,
    execute: async ({ intentId }: Pending) => {
      note(`execute ${intentId}`)
      return change.result ?? landed
    },
  }
  await performAction(ports, run)
  return happened
}

describe('performAction', () => {
  it('decides, authorizes, stores, executes and ends, in this order', async () => {
    expect(await perform()).toEqual(['decide', 'guard', 'store new', 'act', 'execute new', 'end new landed'])
  })

  it('finishes a pending action before it decides anything', async () => {
    expect(await perform({ state: { pending } })).toEqual(['act', 'execute old', 'end old landed'])
  })

  it('stores nothing that is not authorized, and executes nothing that is not stored', async () => {
    expect(await perform({ waits: true })).toEqual(['decide', 'wait'])
    expect(await perform({ authorized: { type: 'refused', error: no } })).toEqual([
      'decide',
      'guard',
      'end new refused',
    ])
    expect(await perform({ isOvertaken: true })).toEqual(['decide', 'guard', 'store new'])
  })

  it('leaves an action pending whose outcome is not known yet', async () => {
    expect(await perform({ state: { pending }, result: { type: 'onItsWay' } })).toEqual([
      'act',
      'execute old',
    ])
  })

  it('executes nothing in observe-only mode', async () => {
    const recovery = {
      type: 'observing',
      reason: 'managerPaused',
      since: 0,
      attempts: 1,
      retryAt: 1,
    } as const
    expect(await perform({ state: { pending, recovery } })).toEqual([])
    expect(await perform({ state: { recovery } })).toEqual(['decide', 'wait'])
  })
})

describe('asRefusal', () => {
  it('keeps the reason of a refusal', () => {
    expect(asRefusal(no)).toEqual({ type: 'refused', error: no })
  })

  it.each([
    ['an outage', new BardoError('Gone.', { code: 'RPC_UNAVAILABLE' })],
    ['a malformed answer', new BardoError('Unreadable.', { code: 'RPC_MALFORMED' })],
    ['a paused manager', new BardoError('Paused.', { code: 'MANAGER_PAUSED' })],
    ['a defect of ours', new BardoError('Ours.', { code: 'INTERNAL' })],
    ['another error', new Error('x')],
  ])('throws %s', (_, error) => {
    expect(() => asRefusal(error)).toThrow(error)
  })
})
