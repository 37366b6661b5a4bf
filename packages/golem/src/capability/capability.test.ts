import { BardoError } from '@bardo/core'
import fc from 'fast-check'
import { type Address, numberToHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { type Action, actionHash } from './action.ts'
import { canonicalJson } from './canonicalJson.ts'
import { type CommitRequest, commitAction } from './commitAction.ts'
import { type CapabilityPolicy, policyHash } from './policy.ts'
import { type PreviewPorts, previewAction } from './previewAction.ts'
import { createMemoryLedger } from './testing/memoryLedger.ts'

const at = (place: number): Address => numberToHex(0xabc000 + place, { size: 20 })
const [account, router, token, stranger] = [at(0), at(1), at(2), at(3)]
const policy: CapabilityPolicy = {
  targets: [router],
  tokens: [token],
  maxValueCents: 10_000n,
  rate: { most: 2, seconds: 60 },
  constitution: undefined,
}
const action: Action = {
  chainId: 8453,
  account,
  calls: [
    { target: token, value: 0n, data: '0x095ea7b3aa' },
    { target: router, value: 0n, data: '0x04e45aafbb' },
  ],
}
const request = { golem: 'alpha', action, requestedCents: 6_000n, tick: 7, now: 1_000 }

function world(valueCents = 5_000n) {
  const ledger = createMemoryLedger()
  let permits = 0
  const ports: PreviewPorts = {
    simulate: async () => ({ is: 'passes', valueCents }),
    ledger,
    permitId: () => `permit-${permits++}`,
  }
  const preview = (change: Partial<typeof request> = {}, under = policy) =>
    previewAction(ports, under, 3, { ...request, ...change })
  const commit = (change: Partial<CommitRequest> = {}, under = policy) =>
    commitAction(ledger, under, {
      golem: 'alpha',
      permitId: 'permit-0',
      intentId: 'intent',
      action,
      valueCents: 5_000n,
      tick: 7,
      ...change,
    })
  return { ports, preview, commit }
}

const code = (promise: Promise<unknown>) =>
  promise.then(
    () => 'allowed',
    (error: BardoError) => error.code,
  )

describe('a preview', () => {
  it('mints a capability for exactly this action', async () => {
    expect(await world().preview()).toEqual({
      permitId: 'permit-0',
      golem: 'alpha',
      action: actionHash(action),
      valueLimitCents: 6_000n,
      policy: policyHash(policy),
      mintedAtTick: 7,
      expiresAtTick: 10,
      mintedAt: 1_000,
    })
    expect((await world().preview({ requestedCents: 99_999n })).valueLimitCents).toBe(10_000n)
  })

  it('refuses a stranger, what reverts, what costs too much, and haste', async () => {
    const away = { ...action, calls: [...action.calls, { target: stranger, value: 0n, data: '0x' as const }] }
    expect(await code(world().preview({ action: away }))).toBe('ACTION_NOT_ALLOWED')
    expect(await code(world().preview({ action: { ...action, calls: [] } }))).toBe('ACTION_NOT_ALLOWED')
    expect(await code(world(6_001n).preview())).toBe('SPEND_LIMIT_EXCEEDED')
    expect(await code(world(10_001n).preview({ requestedCents: 99_999n }))).toBe('SPEND_LIMIT_EXCEEDED')
    const error = new BardoError('Link 0, DailySpendLimit.', { code: 'TRANSACTION_REVERTED' })
    const reverting: PreviewPorts = { ...world().ports, simulate: async () => ({ is: 'refused', error }) }
    await expect(previewAction(reverting, policy, 3, request)).rejects.toBe(error)
    const hasty = world()
    await hasty.preview()
    await hasty.preview()
    expect(await code(hasty.preview())).toBe('RATE_LIMITED')
    expect(await code(hasty.preview({ golem: 'beta' }))).toBe('allowed')
    expect(await code(hasty.preview({ now: 1_060 }))).toBe('allowed')
  })
})

describe('a commit', () => {
  it('uses a capability up once, and again only for the intent that used it', async () => {
    const { preview, commit } = world()
    await preview()
    expect(await code(commit())).toBe('allowed')
    expect(await code(commit())).toBe('allowed')
    expect(await code(commit({ intentId: 'another' }))).toBe('CAPABILITY_INVALID')
  })

  it('that was interrupted is finished however late, and only with the same action', async () => {
    const { preview, commit } = world()
    await preview()
    await commit()
    expect(await code(commit({ tick: 99 }, { ...policy, maxValueCents: 1n }))).toBe('allowed')
    expect(await code(commit({ tick: 99, intentId: 'another' }))).toBe('CAPABILITY_INVALID')
    const other = { ...action, chainId: 1 }
    expect(await code(commit({ action: other }))).toBe('CAPABILITY_INVALID')
  })

  it('is one of many that race', async () => {
    const { preview, commit } = world()
    await preview()
    const racing = Array.from({ length: 20 }, (_, place) => code(commit({ intentId: `intent-${place}` })))
    expect((await Promise.all(racing)).filter((result) => result === 'allowed')).toHaveLength(1)
  })

  it('does not use up what it refuses', async () => {
    const { preview, commit } = world()
    await preview()
    expect(await code(commit({ valueCents: 6_001n }))).toBe('CAPABILITY_INVALID')
    expect(await code(commit({ valueCents: -1n }))).toBe('CAPABILITY_INVALID')
    expect(await code(commit({ tick: 10, intentId: 'late' }))).toBe('CAPABILITY_INVALID')
    expect(await code(commit({ valueCents: 6_000n }))).toBe('allowed')
  })

  it('is never for another action, more value, another time, another Golem or another policy', async () => {
    const call = fc.record({
      target: fc.constantFrom(router, token, stranger),
      value: fc.constantFrom(0n, 1n),
      data: fc.constantFrom<`0x${string}`[]>('0x', '0x04e45aafbb', '0x095ea7b3aa'),
    })
    const other = fc.oneof(
      fc.constant(action),
      fc.record({
        chainId: fc.constantFrom(8453, 1),
        account: fc.constantFrom(account, stranger),
        calls: fc.oneof(fc.constant(action.calls), fc.array(call, { maxLength: 3 })),
      }),
    )
    const otherPolicy = fc.record({
      targets: fc.constantFrom([router], [router, stranger]),
      tokens: fc.constant([token]),
      maxValueCents: fc.constantFrom(10_000n, 20_000n),
      rate: fc.constant(policy.rate),
      constitution: fc.constantFrom(undefined, '0x12' as const),
    })
    await fc.assert(
      fc.asyncProperty(
        other,
        otherPolicy,
        fc.bigInt({ min: -1n, max: 7_000n }),
        fc.integer({ min: 5, max: 12 }),
        fc.constantFrom('alpha', 'beta'),
        async (tried, under, valueCents, tick, golem) => {
          const isSame =
            canonicalJson(tried) === canonicalJson(action) &&
            canonicalJson(under) === canonicalJson(policy) &&
            valueCents >= 0n &&
            valueCents <= 6_000n &&
            tick >= 7 &&
            tick < 10 &&
            golem === 'alpha'
          const { preview, commit } = world()
          await preview()
          const result = await code(commit({ action: tried, valueCents, tick, golem }, under))
          expect(result).toBe(isSame ? 'allowed' : 'CAPABILITY_INVALID')
        },
      ),
      { numRuns: 2_000 },
    )
  })

  it('needs a permit that somebody minted', async () => {
    expect(await code(world().commit({ permitId: 'made-up' }))).toBe('CAPABILITY_INVALID')
  })
})

describe('hashes', () => {
  it('of a policy do not care how its lists are written', () => {
    const upper = router.toUpperCase().replace('0X', '0x') as Address
    expect(policyHash({ ...policy, targets: [upper, router] })).toBe(policyHash(policy))
    expect(policyHash({ ...policy, targets: [router, stranger] })).toBe(
      policyHash({ ...policy, targets: [stranger, router] }),
    )
    expect(policyHash({ ...policy, constitution: '0x12' })).not.toBe(policyHash(policy))
  })

  it('of an action care for everything in it', () => {
    const [first, second] = action.calls
    if (!first || !second) throw new Error('no calls')
    const others: Action[] = [
      { ...action, chainId: 1 },
      { ...action, account: stranger },
      { ...action, calls: [second, first] },
      { ...action, calls: [first] },
      { ...action, calls: [{ ...first, value: 1n }, second] },
      { ...action, calls: [{ ...first, data: '0x095ea7b3ab' }, second] },
    ]
    expect(new Set([action, ...others].map(actionHash)).size).toBe(others.length + 1)
  })

  it('come from one text for one value, and from nothing that has none', () => {
    expect(canonicalJson({ b: [1n, null], a: { d: 'x', c: true }, e: undefined })).toBe(
      '{"a":{"c":true,"d":"x"},"b":["1",null]}',
    )
    for (const odd of [Number.NaN, undefined, new Map(), () => 1, new Date(0)])
      expect(() => canonicalJson(odd)).toThrow('no canonical form')
  })
})
