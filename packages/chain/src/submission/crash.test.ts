import { createMemoryJournal } from '@bardo/core'
import { type Anvil, startAnvil } from '@bardo/devnet'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCrash, type FaultPoint } from '../testing/fault.ts'
import { createSubmissionBench } from '../testing/submissionBench.ts'
import type { Wish } from './createSubmitter.ts'

const operations = [
  'addIntent',
  'claimNonce',
  'sign',
  'addAttempt',
  'eth_sendRawTransaction',
  'eth_getTransactionReceipt',
  'noteMined',
  'settle',
]
const points = operations.flatMap((name): FaultPoint[] => [`before ${name}`, `after ${name}`])

/** Room for the runs of `test:full`. */
const manyRunsMs = 180_000

/** A life of a process: where it dies, and how often it gets there first. */
type Life = { point: FaultPoint | undefined; skip: number }

describe('a submitter that is killed', () => {
  let anvil: Anvil
  let bench: ReturnType<typeof createSubmissionBench>
  beforeAll(async () => {
    anvil = await startAnvil({ port: 0 })
    bench = createSubmissionBench(anvil.url)
  })
  afterAll(() => anvil?.stop())

  /** Lives through each life in turn, then once in peace; and looks at what the chain has. */
  async function landsOnce(lives: readonly Life[], wishes: readonly Wish[]) {
    const journal = createMemoryJournal()
    const key = await bench.fundedKey()
    let deaths = 0
    for (const life of [...lives, { point: undefined, skip: 0 }]) {
      const crash = createCrash(life.point, life.skip)
      // Every wait is a block; a dead process does not wait.
      const onSleep = () => crash.around('sleep', () => bench.chain.mine({ blocks: 1 }))
      const { submitter } = bench.start(key, {
        journal,
        around: crash.around,
        onSleep,
        settings: { finality: 2 },
      })
      const work = submitter.recover().then(() => Promise.all(wishes.map((wish) => submitter.submit(wish))))
      await work.catch((error: unknown) => {
        // Nothing but its death may stop it.
        if (!crash.dead) throw error
        deaths += 1
      })
    }
    for (const { id, to, value } of wishes) {
      const record = await journal.find(id)
      expect(record?.settlement?.kind).toBe('landed')
      expect(await bench.chain.getBalance({ address: to })).toBe(value)
      expect(record?.attempts.map(({ hash }) => hash)).toContain(record?.mined?.hash)
    }
    expect(await bench.chain.getTransactionCount({ address: key.address })).toBe(wishes.length)
    expect(await journal.open({ chainId: 31_337, from: key.address })).toEqual([])
    return deaths
  }

  const wish = (id = 'wish'): Wish => ({ id, to: bench.stranger(), value: 1n })

  it.each(points)('%s: lands once', async (point) => {
    expect(await landsOnce([{ point, skip: 0 }], [wish()])).toBe(1)
  })

  it(
    'lands once however often it is killed, and wherever',
    async () => {
      const life = fc.record({ point: fc.constantFrom(...points), skip: fc.nat(2) })
      await fc.assert(
        fc.asyncProperty(fc.array(life, { minLength: 2, maxLength: 5 }), async (lives) => {
          await landsOnce(lives, [wish()])
        }),
        { numRuns: process.env['BARDO_TEST'] === 'full' ? 400 : 30 },
      )
    },
    manyRunsMs,
  )

  it(
    'lands each of three once, though the first may die between the others',
    async () => {
      const life = fc.record({ point: fc.constantFrom(...points), skip: fc.nat(5) })
      await fc.assert(
        fc.asyncProperty(fc.array(life, { minLength: 1, maxLength: 4 }), async (lives) => {
          await landsOnce(lives, [wish('a'), wish('b'), wish('c')])
        }),
        { numRuns: process.env['BARDO_TEST'] === 'full' ? 200 : 15 },
      )
    },
    manyRunsMs,
  )

  it(
    'lands or is called off, never both, though it is killed while calling off',
    async () => {
      const closing = fc.constantFrom<FaultPoint>(...points, 'before close', 'after close')
      const life = fc.record({ point: closing, skip: fc.nat(1) })
      await fc.assert(
        fc.asyncProperty(life, fc.array(life, { maxLength: 3 }), async (first, others) => {
          const journal = createMemoryJournal()
          const key = await bench.fundedKey()
          const wanted = wish()
          const begin = ({ point, skip }: { point: FaultPoint | undefined; skip: number }) => {
            const crash = createCrash(point, skip)
            const onSleep = () => crash.around('sleep', () => bench.chain.mine({ blocks: 1 }))
            return bench.start(key, { journal, around: crash.around, onSleep, settings: { finality: 2 } })
              .submitter
          }
          await begin(first)
            .submit(wanted)
            .catch(() => {})
          for (const other of others)
            await begin(other)
              .cancel(wanted.id)
              .catch(() => {})
          const last = begin({ point: undefined, skip: 0 })
          // Killed before it was written down: there is nothing to call off.
          const known = await journal.find(wanted.id)
          const end = known ? (await last.cancel(wanted.id)).settlement?.kind : 'dropped'
          expect(['landed', 'closed', 'dropped']).toContain(end)
          expect(await bench.chain.getBalance({ address: wanted.to })).toBe(end === 'landed' ? 1n : 0n)
          expect(await bench.chain.getTransactionCount(key)).toBe(end === 'dropped' ? 0 : 1)
          expect(await journal.open({ chainId: 31_337, from: key.address })).toEqual([])
        }),
        { numRuns: process.env['BARDO_TEST'] === 'full' ? 300 : 30 },
      )
    },
    manyRunsMs,
  )
})
