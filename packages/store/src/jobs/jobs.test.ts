import { BardoError } from '@bardo/core'
import type { Hash } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../database/database.ts'
import { eachDatabase } from '../testing/eachDatabase.ts'
import { id } from '../testing/samples.ts'
import type { Jobs } from './jobs.ts'
import type { Tick } from './runTicks.ts'

eachDatabase('jobs', (newPlace) => {
  let jobs: Jobs
  let database: Database
  let close: () => Promise<void>
  beforeAll(async () => {
    const opened = await (await newPlace()).openJobs()
    jobs = opened.jobs
    database = opened.database
    close = opened.close
    // pg-boss makes its tables at the first use.
    await jobs.cancel(id(0))
  })
  afterAll(() => close())

  /** Works until `tick` has been called `count` times and all of them have ended. */
  async function work(count: number, tick: (tick: Tick) => Promise<number | undefined>, concurrency = 1) {
    const stop = new AbortController()
    const errors: unknown[] = []
    let calls = 0
    const counted = (given: Tick) => {
      calls += 1
      if (calls === count) stop.abort()
      return tick(given)
    }
    const onError = (error: unknown) => errors.push(error)
    await jobs.work({ concurrency, tick: counted, onError, signal: stop.signal, pollMs: 20 })
    return errors
  }

  it('tick what is due, and again when the tick says so', async () => {
    await jobs.schedule({ golem: id(1), at: Date.now() })
    await jobs.schedule({ golem: id(2), at: Date.now() + 3_600_000 })
    const ticked: Hash[] = []
    const errors = await work(3, async ({ golem }) => {
      ticked.push(golem)
      return ticked.length < 3 ? Date.now() : undefined
    })
    expect(errors).toEqual([])
    expect(ticked).toEqual([id(1), id(1), id(1)])
    // It said that there is none after the third.
    expect(await jobs.cancel(id(1))).toBe(false)
    expect(await jobs.cancel(id(2))).toBe(true)
  })

  it('have one tick of a Golem at most: scheduling moves the one that waits', async () => {
    const later = Date.now() + 3_600_000
    await Promise.all(Array.from({ length: 10 }, () => jobs.schedule({ golem: id(3), at: later })))
    await jobs.scheduleAll([
      { golem: id(3), at: 0 },
      { golem: id(4), at: later },
    ])
    await jobs.schedule({ golem: id(3), at: Date.now() })
    const ticked: Hash[] = []
    await work(1, async ({ golem }) => {
      ticked.push(golem)
      expect(await jobs.schedule({ golem, at: Date.now() })).toBe(false)
      return undefined
    })
    expect(ticked).toEqual([id(3)])
    expect(await jobs.cancel(id(3))).toBe(false)
    expect(await jobs.cancel(id(4))).toBe(true)
  })

  it('try a tick again that threw, and keep nothing of what it said', async () => {
    await jobs.schedule({ golem: id(5), at: Date.now() })
    const failures = [
      new Error('the key is 0x5ec2e7'),
      new BardoError('Dry.', { code: 'INSUFFICIENT_FUNDS' }),
    ]
    let calls = 0
    const outputs: unknown[] = []
    const errors = await work(3, async ({ golem }) => {
      const failure = failures[calls]
      calls += 1
      const [job] = await database.query('SELECT output FROM bardo_jobs.job WHERE singleton_key = $1', [
        golem,
      ])
      if (job?.['output']) outputs.push(job['output'])
      if (failure) throw failure
      return undefined
    })
    expect(errors).toEqual(failures)
    expect(await jobs.cancel(id(5))).toBe(false)
    expect(outputs).toEqual([{ code: 'INTERNAL' }, expect.objectContaining({ code: 'INSUFFICIENT_FUNDS' })])
  })

  it('run as many at once as they may, each Golem once', async () => {
    const golems = Array.from({ length: 20 }, (_, n) => id(100 + n))
    await jobs.scheduleAll(golems.map((golem) => ({ golem, at: Date.now() })))
    const running = new Set<Hash>()
    let most = 0
    const errors = await work(
      60,
      async ({ golem }) => {
        expect(running.has(golem)).toBe(false)
        running.add(golem)
        most = Math.max(most, running.size)
        await new Promise((resolve) => setTimeout(resolve, 5))
        running.delete(golem)
        return Date.now()
      },
      4,
    )
    expect(errors).toEqual([])
    expect(most).toBe(4)
    for (const golem of golems) await jobs.cancel(golem)
  })

  it('let a worker that lost its tick neither end nor repeat it', async () => {
    await jobs.schedule({ golem: id(6), at: Date.now() })
    const waiting = await work(1, async ({ isMine, golem }) => {
      expect(await isMine()).toBe(true)
      // What the upkeep does to a worker that is silent for too long: somebody else begins the tick again.
      await database.query(
        "UPDATE bardo_jobs.job SET retry_count = retry_count + 1 WHERE singleton_key = $1 AND state = 'active'",
        [golem],
      )
      expect(await isMine()).toBe(false)
      return Date.now()
    })
    expect(waiting).toEqual([])
    const [job] = await database.query(
      'SELECT state, retry_count FROM bardo_jobs.job WHERE singleton_key = $1',
      [id(6)],
    )
    expect(job).toMatchObject({ state: 'active', retry_count: 1 })
  })
})
