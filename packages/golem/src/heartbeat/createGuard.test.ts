import { BardoError } from '@bardo/core'
import { describe, expect, it } from 'vitest'
import { createMemoryLedger } from '../capability/testing/memoryLedger.ts'
import { createGuard, type GuardOptions } from './createGuard.ts'

const router = '0x0000000000000000000000000000000000000abc'
const intention = { is: 'swap', from: 'USDC', to: 'WETH', cents: 5_000n, because: '' } as const

function guard(change: Partial<GuardOptions> = {}) {
  const options: GuardOptions = {
    golem: 'alpha',
    expiryTicks: 3,
    ledger: createMemoryLedger(),
    permitId: () => 'permit',
    simulate: async () => ({ is: 'passes', valueCents: 4_990n }),
    policy: async () => ({
      targets: [router],
      tokens: [],
      maxValueCents: 9_000n,
      rate: { most: 9, seconds: 60 },
      constitution: undefined,
    }),
    build: async () => ({ chainId: 1, account: router, calls: [{ target: router, value: 0n, data: '0x' }] }),
    check: async () => {},
    evaluate: async () => undefined,
    now: () => 1_000,
    ...change,
  }
  return createGuard(options)('intent', intention, 7)
}

describe('the guard', () => {
  it('gives a permit for what was intended and no more', async () => {
    expect(await guard()).toEqual({ is: 'allowed', permitId: 'permit', valueCents: 5_000n })
  })

  it('refuses with the reason', async () => {
    const costly = await guard({ simulate: async () => ({ is: 'passes', valueCents: 5_001n }) })
    expect(costly).toMatchObject({ is: 'refused', error: { code: 'SPEND_LIMIT_EXCEEDED' } })
  })

  it('asks the constitution, the library and the simulation in this order, and nobody after a no', async () => {
    const asked: string[] = []
    const no = new BardoError('No.', { code: 'ACTION_NOT_ALLOWED' })
    const asking = (last: 'check' | 'evaluate' | 'simulate') =>
      guard({
        check: async () => {
          asked.push('check')
          if (last === 'check') throw no
        },
        evaluate: async () => {
          asked.push('evaluate')
          return last === 'evaluate' ? no : undefined
        },
        simulate: async () => {
          asked.push('simulate')
          return { is: 'refused', error: no }
        },
      })
    for (const last of ['check', 'evaluate', 'simulate'] as const) {
      expect(await asking(last)).toEqual({ is: 'refused', error: no })
      asked.push('no')
    }
    const [first, second, third] = ['check', 'evaluate', 'simulate']
    expect(asked).toEqual([first, 'no', first, second, 'no', first, second, third, 'no'])
  })

  it.each([
    ['an outage', new BardoError('Gone.', { code: 'RPC_UNAVAILABLE' })],
    ['garbage', new BardoError('Unreadable.', { code: 'RPC_MALFORMED' })],
    ['a pause', new BardoError('Paused.', { code: 'MANAGER_PAUSED' })],
    ['a defect', new BardoError('Ours.', { code: 'INTERNAL' })],
    ['a stranger’s error', new Error('x')],
  ])('blames nobody for %s', async (_, error) => {
    await expect(guard({ simulate: async () => Promise.reject(error) })).rejects.toBe(error)
  })
})
