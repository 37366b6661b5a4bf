import { describe, expect, it, test } from 'vitest'
import { compileStrategy } from './compileStrategy.ts'

const swap = 'Swap USDC into WETH.\n\nbudget: $40/day\n\n'
const compiled = (text: string) => compileStrategy(`${swap}${text}`, { now: 1_800_000_000n })
const limits = (text: string) => compiled(text).replicants

describe('the limits of Replicants', () => {
  it('are three Replicants with an even split of the day, unless a line says less', () => {
    expect(limits('Spawn replicants.')).toEqual({
      most: 3,
      dayCents: 1_000n,
      everySeconds: undefined,
      lifespanSeconds: undefined,
      because: [],
    })
  })

  test.for<[string, object]>([
    ['Spawn replicants.\nreplicants: 1', { most: 1, dayCents: 2_000n }],
    ['Spawn two replicants.', { most: 2 }],
    ['Spawn a replicant every week.\n\nreplicants: 2', { most: 1, everySeconds: 604_800 }],
    ['Spawn replicants every day.', { most: 3, everySeconds: 86_400 }],
    ['Spawn at most 5 small replicants.\n\nreplicants: 4', { most: 4, dayCents: 800n }],
    ['Spawn replicants.\n\nreplicant budget: $2/day', { most: 3, dayCents: 200n }],
    ['Spawn replicants.\n\nreplicant budget: $14 a week', { dayCents: 200n }],
    ['Spawn replicants.\n\nreplicant lifespan: 3 days', { lifespanSeconds: 259_200 }],
    [
      'Spawn replicants.\n\n## Replicants\n\n- budget: $2/day\n- lifespan: 2 days',
      { dayCents: 200n, lifespanSeconds: 172_800 },
    ],
    ['Spawn replicants.\n\nreplicants: 2\n\nreplicants: 1', { most: 1 }],
    ['Spawn replicants.\n\nreplicants: many', { most: 0 }],
  ])('are read from lines: %s', ([text, expected]) => {
    expect(limits(text)).toMatchObject(expected)
    expect(compiled(text).plan.dayCents).toBe(4_000n)
    expect(compiled(text).setNothing).toEqual([])
  })

  test.for([
    '',
    'Never spawn replicants.',
    'Spawn replicants. Never spawn replicants.',
    'replicants: 2',
    'replicants: none',
  ])('are none without a permission: %s', (text) => {
    expect(limits(text)).toBeUndefined()
    expect(compiled(text).plan.classes).not.toContain('spawn')
  })
})
