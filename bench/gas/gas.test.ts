import { type Devnet, startDevnet } from '@bardo/devnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BenchWorld, openBenchWorld } from './benchWorld.ts'
import { type Measurement, measure } from './measure.ts'
import { type Policy, policies } from './policies.ts'
import { callsOf, scenarios } from './scenarios.ts'
import { drifts, pagesWith, readSnapshot } from './snapshot.ts'
import { policyGasOf } from './tables.ts'
import { workOf } from './work.ts'

/** The maximum total gas of a caged swap. */
const ceilings = { cage: 230_200, 'cage-feeds': 243_500 } as const

/** The maximum gas that a Cage may add to a swap, as a share of what the other policies add. */
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

describe('the measurement', () => {
  it('equals the snapshot, within 100 gas', () => {
    const differences = drifts(readSnapshot(), measured)
    const advice = 'If the change is intended, run `npm run bench:gas -- --update` and commit the result.'
    expect(differences, [...differences, advice].join('\n')).toEqual([])
  })

  it.each(['cage', 'cage-feeds'] as const)('keeps a swap under %s below its ceiling', (policy) => {
    const swap = measured.policies.find((figure) => figure.scenario === 'swap' && figure.policy === policy)
    expect(swap?.gas).toBeLessThanOrEqual(ceilings[policy])
  })

  it.each(['stock', 'separate'])('shows that a Cage adds at most half of what %s adds to a swap', (other) => {
    const cage = policyGasOf(measured.policies, 'swap', 'cage')
    expect(cage).toBeLessThanOrEqual(share * policyGasOf(measured.policies, 'swap', other))
  })
})

describe.each(scenarios)('the policies of a %s', (scenario) => {
  /** The same delegations, with the value sent to an attacker instead. */
  function stolen(policy: Policy) {
    const { stranger } = world.accounts
    const theft = callsOf(scenario, { ...world, accounts: { ...world.accounts, payee: stranger } }, stranger)
    return policy(workOf(scenario, world, bench)).map(({ caveats, calls }, place) => ({
      caveats,
      calls: calls.length === 1 ? theft.slice(place, place + 1) : theft,
    }))
  }

  it('let a theft through without a policy', async () => {
    expect(await bench.warmGas(stolen(policies.none))).toBeGreaterThan(0)
  })

  it.each(['stock', 'separate', 'cage', 'cage-feeds'] as const)('stop a theft with %s', async (policy) => {
    await expect(bench.warmGas(stolen(policies[policy]))).rejects.toThrow(/revert/)
  })
})

describe('the docs', () => {
  it('show the snapshot', () => {
    for (const { text, expected } of pagesWith(readSnapshot())) expect(text).toBe(expected)
  })
})

describe('a drift', () => {
  const row = { scenario: 'swap', policy: 'cage', gas: 200_000, policyGas: 50_000 } as const
  const one = (change: Partial<typeof row> | { gas?: number; policyGas?: number }): Measurement => ({
    policies: [{ ...row, ...change }],
    enforcers: [],
  })

  it('of 100 gas is accepted, and one of 101 is reported with both figures', () => {
    expect(drifts(one({}), one({ gas: 200_100, policyGas: 49_900 }))).toEqual([])
    expect(drifts(one({}), one({ gas: 200_101 }))).toEqual(['swap under cage: gas 200101, accepted 200000'])
    expect(drifts(one({}), one({ policyGas: 49_899 }))).toEqual([
      'swap under cage: policyGas 49899, accepted 50000',
    ])
  })

  it('is also a figure that was added or removed', () => {
    const nothing = { policies: [], enforcers: [] }
    expect(drifts(nothing, one({}))).toContain('swap under cage: gas 200000, accepted none')
    expect(drifts(one({}), nothing)).toContain('swap under cage: gas gone, accepted 200000')
  })
})
