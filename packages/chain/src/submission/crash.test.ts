import { createMemoryJournal } from '@bardo/core'
import { type Anvil, startAnvil } from '@bardo/devnet'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCrash, type FaultPoint } from '../testing/fault.ts'
import { createSubmissionBench } from '../testing/submissionBench.ts'
import type { TransactionRequest } from './createSubmitter.ts'

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

/** Timeout for the number of runs in `test:full`. */
const manyRunsMs = 180_000

/** One run of a process: the point where it crashes, and how often it passes that point before. */
type Run = { point: FaultPoint | undefined; skip: number }

describe('a submitter', () => {
  let anvil: Anvil
  let bench: ReturnType<typeof createSubmissionBench>
  beforeAll(async () => {
    anvil = await startAnvil({ port: 0 })
    bench = createSubmissionBench(anvil.url)
  })
  afterAll(() => anvil?.stop())

  /** Runs and crashes as listed, then runs once without a crash, and checks the chain. */
  async function landsOnce(runs: readonly Run[], requests: readonly TransactionRequest[]) {
    const journal = createMemoryJournal()
    const key = await bench.fundedKey()
    let deaths = 0
    for (const run of [...runs, { point: undefined, skip: 0 }]) {
      const crash = createCrash(run.point, run.skip)
      // Every wait mines a block; a crashed process does not wait.
      const onSleep = () => crash.around('sleep', () => bench.chain.mine({ blocks: 1 }))
      const { submitter } = bench.start(key, {
        journal,
        around: crash.around,
        onSleep,
        settings: { finality: 2 },
      })
      const work = submitter
        .recover()
        .then(() => Promise.all(requests.map((request) => submitter.submit(request))))
      await work.catch((error: unknown) => {
        // Only the simulated crash may stop it.
        if (!crash.dead) throw error
        deaths += 1
      })
    }
    for (const { id, to, value } of requests) {
      const record = await journal.find(id)
      expect(record?.settlement?.kind).toBe('landed')
      expect(await bench.chain.getBalance({ address: to })).toBe(value)
      expect(record?.attempts.map(({ hash }) => hash)).toContain(record?.mined?.hash)
    }
    expect(await bench.chain.getTransactionCount({ address: key.address })).toBe(requests.length)
    expect(await journal.open({ chainId: 31_337, from: key.address })).toEqual([])
    return deaths
  }

  const request = (id = 'request'): TransactionRequest => ({ id, to: bench.stranger(), value: 1n })

  it.each(points)('killed %s lands once', async (point) => {
    expect(await landsOnce([{ point, skip: 0 }], [request()])).toBe(1)
  })

  it(
    'lands once after any sequence of crashes',
    async () => {
      const run = fc.record({ point: fc.constantFrom(...points), skip: fc.nat(2) })
      await fc.assert(
        fc.asyncProperty(fc.array(run, { minLength: 2, maxLength: 5 }), async (runs) => {
          await landsOnce(runs, [request()])
        }),
        { numRuns: process.env['BARDO_TEST'] === 'full' ? 400 : 30 },
      )
    },
    manyRunsMs,
  )

  it(
    'lands each of three intents once after crashes between them',
    async () => {
      const run = fc.record({ point: fc.constantFrom(...points), skip: fc.nat(5) })
      await fc.assert(
        fc.asyncProperty(fc.array(run, { minLength: 1, maxLength: 4 }), async (runs) => {
          await landsOnce(runs, [request('a'), request('b'), request('c')])
        }),
        { numRuns: process.env['BARDO_TEST'] === 'full' ? 200 : 15 },
      )
    },
    manyRunsMs,
  )

  it(
    'lands or is cancelled, never both, after crashes during the cancellation',
    async () => {
      const closing = fc.constantFrom<FaultPoint>(...points, 'before close', 'after close')
      const run = fc.record({ point: closing, skip: fc.nat(1) })
      await fc.assert(
        fc.asyncProperty(run, fc.array(run, { maxLength: 3 }), async (first, others) => {
          const journal = createMemoryJournal()
          const key = await bench.fundedKey()
          const intended = request()
          const begin = ({ point, skip }: { point: FaultPoint | undefined; skip: number }) => {
            const crash = createCrash(point, skip)
            const onSleep = () => crash.around('sleep', () => bench.chain.mine({ blocks: 1 }))
            return bench.start(key, { journal, around: crash.around, onSleep, settings: { finality: 2 } })
              .submitter
          }
          await begin(first)
            .submit(intended)
            .catch(() => {})
          for (const other of others)
            await begin(other)
              .cancel(intended.id)
              .catch(() => {})
          const last = begin({ point: undefined, skip: 0 })
          // Killed before the intent was stored: there is nothing to cancel.
          const record = await journal.find(intended.id)
          const end = record ? (await last.cancel(intended.id)).settlement?.kind : 'dropped'
          expect(['landed', 'closed', 'dropped']).toContain(end)
          expect(await bench.chain.getBalance({ address: intended.to })).toBe(end === 'landed' ? 1n : 0n)
          expect(await bench.chain.getTransactionCount(key)).toBe(end === 'dropped' ? 0 : 1)
          expect(await journal.open({ chainId: 31_337, from: key.address })).toEqual([])
        }),
        { numRuns: process.env['BARDO_TEST'] === 'full' ? 300 : 30 },
      )
    },
    manyRunsMs,
  )
})
