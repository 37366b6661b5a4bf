import { type BardoError, canonicalJson } from '@bardo/core'
import fc from 'fast-check'
import { type Address, numberToHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { type Action, actionHash } from './action.ts'
import { type ConsumeRequest, consumeCapability } from './consumeCapability.ts'
import { type MintRequest, mintCapability, requireAllowed } from './mintCapability.ts'
import { type CapabilityPolicy, policyHash } from './policy.ts'
import { createMemoryLedger } from './testing/memoryLedger.ts'

const at = (index: number): Address => numberToHex(0xabc000 + index, { size: 20 })
const [alpha, beta] = [numberToHex(1, { size: 32 }), numberToHex(2, { size: 32 })]
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
const request: MintRequest = {
  golem: alpha,
  action,
  requestedCents: 6_000n,
  valueCents: 5_000n,
  tick: 7,
  now: 1_000,
}

function world(valueCents = 5_000n) {
  const ledger = createMemoryLedger()
  let count = 0
  const mint = async (change: Partial<MintRequest> = {}, under = policy) => {
    const asked = { ...request, valueCents, ...change }
    requireAllowed(asked.action, under)
    return mintCapability(ledger, under, 3, asked, () => `permit-${count++}`)
  }
  const commit = (change: Partial<ConsumeRequest> = {}, under = policy) =>
    consumeCapability(ledger, under, {
      golem: alpha,
      capabilityId: 'permit-0',
      intentId: 'intent',
      action,
      valueCents: 5_000n,
      tick: 7,
      ...change,
    })
  return { mint, commit }
}

const code = (promise: Promise<unknown>) =>
  promise.then(
    () => 'allowed',
    (error: BardoError) => error.code,
  )

describe('a preview', () => {
  it('mints a capability for exactly this action', async () => {
    expect(await world().mint()).toEqual({
      capabilityId: 'permit-0',
      golem: alpha,
      actionHash: actionHash(action),
      valueLimitCents: 6_000n,
      policyHash: policyHash(policy),
      mintedAtTick: 7,
      expiresAtTick: 10,
      mintedAt: 1_000_000,
    })
    expect((await world().mint({ requestedCents: 99_999n })).valueLimitCents).toBe(10_000n)
  })

  it('refuses an unknown contract, an excessive cost, and too many actions', async () => {
    const away = { ...action, calls: [...action.calls, { target: stranger, value: 0n, data: '0x' as const }] }
    expect(await code(world().mint({ action: away }))).toBe('ACTION_NOT_ALLOWED')
    expect(await code(world().mint({ action: { ...action, calls: [] } }))).toBe('ACTION_NOT_ALLOWED')
    expect(await code(world(6_001n).mint())).toBe('SPEND_LIMIT_EXCEEDED')
    expect(await code(world(10_001n).mint({ requestedCents: 99_999n }))).toBe('SPEND_LIMIT_EXCEEDED')
    const hasty = world()
    await hasty.mint()
    await hasty.mint()
    expect(await code(hasty.mint())).toBe('RATE_LIMITED')
    expect(await code(hasty.mint({ golem: beta }))).toBe('allowed')
    expect(await code(hasty.mint({ now: 1_060 }))).toBe('allowed')
  })
})

describe('a commit', () => {
  it('uses a capability once, and again only for the same intent', async () => {
    const { mint, commit } = world()
    await mint()
    expect(await code(commit())).toBe('allowed')
    expect(await code(commit())).toBe('allowed')
    expect(await code(commit({ intentId: 'another' }))).toBe('CAPABILITY_INVALID')
  })

  it('that was interrupted can be finished at any time, and only with the same action', async () => {
    const { mint, commit } = world()
    await mint()
    await commit()
    expect(await code(commit({ tick: 99 }, { ...policy, maxValueCents: 1n }))).toBe('allowed')
    expect(await code(commit({ tick: 99, intentId: 'another' }))).toBe('CAPABILITY_INVALID')
    const other = { ...action, chainId: 1 }
    expect(await code(commit({ action: other }))).toBe('CAPABILITY_INVALID')
  })

  it('succeeds for one of many concurrent calls', async () => {
    const { mint, commit } = world()
    await mint()
    const racing = Array.from({ length: 20 }, (_, position) =>
      code(commit({ intentId: `intent-${position}` })),
    )
    expect((await Promise.all(racing)).filter((result) => result === 'allowed')).toHaveLength(1)
  })

  it('does not use a capability that it refuses', async () => {
    const { mint, commit } = world()
    await mint()
    expect(await code(commit({ valueCents: 6_001n }))).toBe('CAPABILITY_INVALID')
    expect(await code(commit({ valueCents: -1n }))).toBe('CAPABILITY_INVALID')
    expect(await code(commit({ tick: 10, intentId: 'late' }))).toBe('CAPABILITY_INVALID')
    expect(await code(commit({ valueCents: 6_000n }))).toBe('allowed')
  })

  it('is refused for another action, value, time, Golem or policy', async () => {
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
        fc.constantFrom(alpha, beta),
        async (tried, under, valueCents, tick, golem) => {
          const isSame =
            canonicalJson(tried) === canonicalJson(action) &&
            canonicalJson(under) === canonicalJson(policy) &&
            valueCents >= 0n &&
            valueCents <= 6_000n &&
            tick >= 7 &&
            tick < 10 &&
            golem === alpha
          const { mint, commit } = world()
          await mint()
          const result = await code(commit({ action: tried, valueCents, tick, golem }, under))
          expect(result).toBe(isSame ? 'allowed' : 'CAPABILITY_INVALID')
        },
      ),
      { numRuns: 2_000 },
    )
  })

  it('needs a minted capability', async () => {
    expect(await code(world().commit({ capabilityId: 'made-up' }))).toBe('CAPABILITY_INVALID')
  })
})

describe('hashes', () => {
  it('of a policy do not depend on the notation of its lists', () => {
    const upper = router.toUpperCase().replace('0X', '0x') as Address
    expect(policyHash({ ...policy, targets: [upper, router] })).toBe(policyHash(policy))
    expect(policyHash({ ...policy, targets: [router, stranger] })).toBe(
      policyHash({ ...policy, targets: [stranger, router] }),
    )
    expect(policyHash({ ...policy, constitution: '0x12' })).not.toBe(policyHash(policy))
  })

  it('of an action depend on every field', () => {
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

  it('come from one canonical text per value, and refuse values without one', () => {
    expect(canonicalJson({ b: [1n, null], a: { d: 'x', c: true }, e: undefined })).toBe(
      '{"a":{"c":true,"d":"x"},"b":["1",null]}',
    )
    for (const odd of [Number.NaN, undefined, new Map(), () => 1, new Date(0)])
      expect(() => canonicalJson(odd)).toThrow('no canonical JSON form')
  })
})
