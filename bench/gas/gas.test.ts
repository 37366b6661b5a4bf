import { type Devnet, startDevnet } from '@bardo/devnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BenchWorld, openBenchWorld } from './benchWorld.ts'
import { type Measurement, measure } from './measure.ts'
import { type Policy, policies } from './policies.ts'
import { callsOf, scenarios } from './scenarios.ts'
import { drifts, pagesWith, readSnapshot } from './snapshot.ts'
import { policyGasOf } from './tables.ts'
import { workOf } from './work.ts'

/** The most that a caged swap may cost in all. */
const ceilings = { cage: 230_000, 'cage-feeds': 243_000 } as const

/** The most that a Cage may add to the swap, as a share of what others add for less or the same. */
const share = 0.5

let world: Devnet
let bench: BenchWorld
let measured: Measurement

beforeAll(async () => {
  world = await startDevnet({ port: 0 })
  bench = await openBenchWorld(world)
  measured = await measure(world, bench)
}, 120_000)
afterAll(() => world.stop())

describe('what was measured', () => {
  it('is what was accepted, within one per cent', () => {
    const found = drifts(readSnapshot(), measured)
    const advice = 'If that is meant, accept it with `npm run bench:gas -- --update` and commit the result.'
    expect(found, [...found, advice].join('\n')).toEqual([])
  })

  it.each(['cage', 'cage-feeds'] as const)('keeps a swap under %s below its ceiling', (policy) => {
    const swap = measured.policies.find((figure) => figure.scenario === 'swap' && figure.policy === policy)
    expect(swap?.gas).toBeLessThanOrEqual(ceilings[policy])
  })

  it.each(['stock', 'separate'])('has a Cage add at most half of what %s adds to a swap', (other) => {
    const cage = policyGasOf(measured.policies, 'swap', 'cage')
    expect(cage).toBeLessThanOrEqual(share * policyGasOf(measured.policies, 'swap', other))
  })
})

describe.each(scenarios)('what was measured around a %s', (scenario) => {
  /** The same delegations, and value that goes to a stranger instead. */
  function stolen(policy: Policy) {
    const { stranger } = world.accounts
    const theft = callsOf(scenario, { ...world, accounts: { ...world.accounts, payee: stranger } }, stranger)
    return policy(workOf(scenario, world, bench)).map(({ caveats, calls }, place) => ({
      caveats,
      calls: calls.length === 1 ? theft.slice(place, place + 1) : theft,
    }))
  }

  it('would let a thief through without a policy', async () => {
    expect(await bench.warmGas(stolen(policies.none))).toBeGreaterThan(0)
  })

  it.each(['stock', 'separate', 'cage', 'cage-feeds'] as const)('stops a thief by %s', async (policy) => {
    await expect(bench.warmGas(stolen(policies[policy]))).rejects.toThrow(/revert/)
  })
})

describe('the docs', () => {
  it('show what was accepted', () => {
    for (const { text, wanted } of pagesWith(readSnapshot())) expect(text).toBe(wanted)
  })
})

describe('a drift', () => {
  const row = { scenario: 'swap', policy: 'cage', gas: 200_000, policyGas: 50_000 } as const
  const one = (change: Partial<typeof row> | { gas?: number; policyGas?: number }): Measurement => ({
    policies: [{ ...row, ...change }],
    enforcers: [],
  })

  it('of one per cent is let through, and a unit more is named with both figures', () => {
    expect(drifts(one({}), one({ gas: 202_000, policyGas: 49_500 }))).toEqual([])
    expect(drifts(one({}), one({ gas: 202_001 }))).toEqual(['swap under cage: gas 202001, accepted 200000'])
    expect(drifts(one({}), one({ policyGas: 49_499 }))).toEqual([
      'swap under cage: policyGas 49499, accepted 50000',
    ])
  })

  it('is also a figure that came or went', () => {
    const nothing = { policies: [], enforcers: [] }
    expect(drifts(nothing, one({}))).toContain('swap under cage: gas 200000, accepted none')
    expect(drifts(one({}), nothing)).toContain('swap under cage: gas gone, accepted 200000')
  })
})
