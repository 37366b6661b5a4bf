import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { planFromCalls, type RecordedCall } from './planFromCalls.ts'

const window = { start: 0n, end: 1_000_000n }
const swapAt = (at: bigint, cents: bigint, execution: number): RecordedCall[] => [
  { at, class: 'approve', method: 'approve', assets: ['USDC'], cents: 0n, execution },
  {
    at,
    class: 'swap',
    method: 'exactInputSingle',
    target: { role: 'swapRouter02' },
    pair: { from: 'USDC', to: 'WETH' },
    cents,
    execution,
  },
]
const plan = (calls: readonly RecordedCall[], marginBps = 0) =>
  planFromCalls(calls, { window, settlement: 'USDC', marginBps })

describe('a plan from recorded calls', () => {
  test('contains what was done and nothing else', () => {
    expect(plan([...swapAt(0n, 500n, 1), ...swapAt(90_000n, 700n, 2)])).toMatchObject({
      classes: ['swap', 'approve'],
      methods: ['approve', 'exactInputSingle'],
      assets: ['USDC', 'WETH'],
      pairs: [{ from: 'USDC', to: 'WETH' }],
      targets: [{ role: 'swapRouter02' }],
      dayCents: 1_200n,
      sizeCents: [700n, 700n, 0n, 0n, 0n],
      cadenceSeconds: 90_000,
      settlement: 'USDC',
    })
  })

  test('classifies a swap into the settlement asset as unwinding', () => {
    const back = swapAt(0n, 5n, 1).map((call) =>
      call.pair ? { ...call, pair: { from: 'WETH', to: 'USDC' } } : call,
    )
    expect(plan(back).classes).toEqual(['unwind', 'approve'])
  })

  test('allows nothing if nothing was recorded', () => {
    expect(plan([])).toMatchObject({ classes: [], dayCents: 0n, sizeCents: [0n, 0n, 0n, 0n, 0n], payees: [] })
  })

  test('allows every recorded execution, and not one cent more in a day', () => {
    const execution = fc.record({ at: fc.nat(400_000), cents: fc.nat(100_000) })
    fc.assert(
      fc.property(fc.array(execution, { minLength: 1, maxLength: 12 }), (list) => {
        const { dayCents, sizeCents } = plan(
          list.flatMap(({ at, cents }, index) => swapAt(BigInt(at), BigInt(cents), index)),
        )
        const bucket = (at: number) => Math.floor(at / 14_400)
        // Seven buckets that end with one execution's, summed naively.
        const sums = list.map(({ at }) =>
          list
            .filter((other) => bucket(other.at) <= bucket(at) && bucket(at) - bucket(other.at) < 7)
            .reduce((sum, { cents }) => sum + cents, 0),
        )
        expect(dayCents).toBe(BigInt(Math.max(...sums)))
        expect(sizeCents[0]).toBe(BigInt(Math.max(...list.map(({ cents }) => cents))))
      }),
    )
  })

  test('adds a margin, and refuses invalid input', () => {
    expect(plan(swapAt(0n, 1_001n, 1), 1_000).dayCents).toBe(1_102n)
    expect(() => plan(swapAt(0n, -1n, 1))).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }))
    expect(() => plan([], 0.5)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }))
  })
})
