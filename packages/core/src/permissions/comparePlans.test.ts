import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { comparePlans, isNarrowerOrEqual } from './comparePlans.ts'
import type { PermissionPlan } from './permissionPlan.ts'
import { compileStrategy } from './strategy/compileStrategy.ts'

const base = compileStrategy('Trade WETH/USDC every day.\nbudget: $100/day', { now: 1_000n }).plan
const change = (to: Partial<PermissionPlan>) => comparePlans(base, { ...base, ...to })

const calm = { minPleasure: -90, maxArousal: 90, minDominance: -90 } as const
const section = (to: PermissionPlan['sections']) => ({ sections: { ...base.sections, ...to } })

describe('a change of a plan', () => {
  test.for<[string, Partial<PermissionPlan>, 'narrower' | 'wider' | 'other']>([
    ['class unwind', { classes: base.classes.filter((name) => name !== 'unwind') }, 'narrower'],
    ['class spawn', { classes: [...base.classes, 'spawn'] }, 'wider'],
    ['method transfer', { methods: [...base.methods, 'transfer'] }, 'wider'],
    ['asset DAI', { assets: [...base.assets, 'DAI'] }, 'wider'],
    ['pair USDC→WETH', { pairs: base.pairs.slice(1) }, 'narrower'],
    ['target vault USDC', { targets: [...base.targets, { role: 'vault', asset: 'USDC' }] }, 'wider'],
    ['payee 0xaa', { payees: ['0xAA'] }, 'wider'],
    ['dayCents', { dayCents: 10_001n }, 'wider'],
    ['dayCents', { dayCents: 9_999n }, 'narrower'],
    [
      'sizeCents[1]',
      { sizeCents: [base.sizeCents[0], 1n, base.sizeCents[2], base.sizeCents[3], 0n] },
      'narrower',
    ],
    ['slippageBps', { slippageBps: 101 }, 'wider'],
    ['cadenceSeconds', { cadenceSeconds: 86_401 }, 'narrower'],
    ['cadenceSeconds', { cadenceSeconds: 0 }, 'wider'],
    ['calls', { calls: 10 }, 'narrower'],
    ['window.start', { window: { ...base.window, start: 999n } }, 'wider'],
    ['window.end', { window: { ...base.window, end: base.window.end - 1n } }, 'narrower'],
    ['settlement', { settlement: undefined }, 'narrower'],
    ['settlement', { settlement: 'WETH' }, 'other'],
    ['coSigners', section({ coSigners: { threshold: 1, members: ['scout'] } }), 'narrower'],
    ['vaultNav', section({ vaultNav: { asset: 'USDC', bps: 1, capCents: 1n } }), 'narrower'],
    [
      'mood.maxArousal',
      section({ mood: { bounds: { ...calm, maxArousal: 60 }, classes: ['swap'] } }),
      'narrower',
    ],
    [
      'mood.minPleasure',
      section({ mood: { bounds: { ...calm, minPleasure: -91 }, classes: ['swap'] } }),
      'wider',
    ],
    ['mood swap', section({ mood: { bounds: calm, classes: [] } }), 'wider'],
    ['totals[604800]', section({ totals: [{ periodSeconds: 604_800, cents: 5n }] }), 'narrower'],
    ['gas.microEtherPerDay', section({ gas: { microEtherPerDay: 50_001n } }), 'wider'],
    ['gas.microEtherPerDay', section({ gas: { microEtherPerDay: 20_000n } }), 'narrower'],
  ])('%s', ([field, to, direction]) => {
    expect(change(to)).toEqual([expect.objectContaining({ field, direction })])
  })

  test('of co-signers is narrower only with more signatures of the same keys', () => {
    const plan = (threshold: number, ...members: string[]) => ({
      ...base,
      ...section({ coSigners: { threshold, members } }),
    })
    const of = (before: PermissionPlan, after: PermissionPlan) =>
      comparePlans(before, after).map(({ direction }) => direction)
    const council = plan(2, 'scout', 'judge', 'clerk')
    expect(of(council, plan(2, 'Clerk', 'judge', 'scout'))).toEqual([])
    expect(of(council, plan(3, 'scout', 'judge', 'clerk'))).toEqual(['narrower'])
    expect(of(council, plan(1, 'scout', 'judge', 'clerk'))).toEqual(['wider'])
    expect(of(council, plan(2, 'scout', 'judge'))).toEqual(['other'])
    expect(of(council, base)).toEqual(['wider'])
  })

  test('equal plans have no changes, and a plan that allows nothing is never wider', () => {
    expect(change({})).toEqual([])
    expect(isNarrowerOrEqual(base, { ...base, classes: [], dayCents: 1_000_000n })).toBe(true)
  })

  test('in the other direction, a wider change is narrower', () => {
    const number = fc.nat(1_000)
    fc.assert(
      fc.property(number, number, number, (day, slip, cadence) => {
        const other = { ...base, dayCents: BigInt(day), slippageBps: slip, cadenceSeconds: cadence }
        const turned = comparePlans(other, base).map(({ direction }) =>
          direction === 'wider' ? 'narrower' : 'wider',
        )
        expect(comparePlans(base, other).map(({ direction }) => direction)).toEqual(turned)
      }),
    )
  })
})
