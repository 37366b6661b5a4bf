import { BardoError } from '@bardo/core'
import type { Hash } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../database/database.ts'
import { eachDatabase } from '../testing/eachDatabase.ts'
import { id } from '../testing/samples.ts'
import type { Jobs } from './jobs.ts'
import type { Tick } from './runTicks.ts'

eachDatabase('jobs', (newDatabase) => {
  let jobs: Jobs
  let database: Database
  let close: () => Promise<void>
  beforeAll(async () => {
    const opened = await (await newDatabase()).openJobs()
    jobs = opened.jobs
    database = opened.database
    close = opened.close
    // pg-boss creates its tables at the first use.
    await jobs.cancel(id(0))
  })
  afterAll(() => close())

  /** Works until `tick` has been called `count` times and all calls have ended. */
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

  it('run due ticks, and again when the tick asks for it', async () => {
    await jobs.schedule({ golem: id(1), at: Date.now() })
    await jobs.schedule({ golem: id(2), at: Date.now() + 3_600_000 })
    const ticked: Hash[] = []
    const errors = await work(3, async ({ golem }) => {
      ticked.push(golem)
      return ticked.length < 3 ? Date.now() : undefined
    })
    expect(errors).toEqual([])
    expect(ticked).toEqual([id(1), id(1), id(1)])
    // The third tick returned no next time.
    expect(await jobs.cancel(id(1))).toBe(false)
    expect(await jobs.cancel(id(2))).toBe(true)
  })

  it('have at most one tick per Golem: scheduling moves the waiting one', async () => {
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

  it('retry a tick that threw, without storing its message', async () => {
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

  it('run up to the concurrency limit, each Golem once', async () => {
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

  it('let a worker that lost its claim neither end nor repeat the tick', async () => {
    await jobs.schedule({ golem: id(6), at: Date.now() })
    const waiting = await work(1, async ({ isMine, golem }) => {
      expect(await isMine()).toBe(true)
      // What happens to a worker that is silent for too long: another worker starts the tick again.
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

  it('report for how long no worker has held a tick', async () => {
    const [held, unheld, absent] = [id(7), id(8), id(9)]
    await jobs.scheduleAll([held, unheld].map((golem) => ({ golem, at: Date.now() + 3_600_000 })))
    await database.query(
      `UPDATE bardo_jobs.job SET created_on = now() - interval '2 hours', heartbeat_on =
         CASE singleton_key WHEN $1 THEN now() - interval '20 minutes' END WHERE singleton_key = ANY($2)`,
      [held, [held, unheld]],
    )
    const idle = await jobs.idle([held, unheld, absent])
    const minutes = [...idle].map(([golem, milliseconds]) => [golem, Math.floor(milliseconds / 60_000)])
    expect(minutes).toEqual([
      [held, 20],
      [unheld, 120],
    ])
    for (const golem of [held, unheld]) await jobs.cancel(golem)
    // A claim is renewed every few seconds and is valid in between.
    await jobs.schedule({ golem: absent, at: Date.now() })
    const idleWhile: (number | undefined)[] = []
    await work(1, async ({ golem }) => {
      for (const seconds of [25, 35]) {
        await database.query(
          `UPDATE bardo_jobs.job SET heartbeat_on = now() - interval '${seconds} seconds',
             created_on = now() - interval '1 hour', started_on = now() - interval '1 hour' WHERE singleton_key = $1`,
          [golem],
        )
        idleWhile.push((await jobs.idle([golem])).get(golem))
      }
      return undefined
    })
    const [renewed, silent] = idleWhile
    expect(renewed).toBe(0)
    expect(silent).toBeGreaterThanOrEqual(35_000)
  })

  it('end although a tick hangs, report its Golem, and let another worker take it at once', async () => {
    await jobs.schedule({ golem: id(11), at: Date.now() })
    const stop = new AbortController()
    const left: Hash[] = []
    const hang = Promise.withResolvers<undefined>()
    const ended = jobs.work({
      concurrency: 1,
      pollMs: 20,
      stopMs: 50,
      signal: stop.signal,
      onError: () => {},
      onStop: (running) => left.push(...running),
      tick: () => {
        stop.abort()
        return hang.promise
      },
    })
    await ended
    expect(left).toEqual([id(11)])
    const ticked: Hash[] = []
    await work(1, async ({ golem }) => {
      ticked.push(golem)
      return undefined
    })
    expect(ticked).toEqual([id(11)])
    hang.resolve(undefined)
  })

  it('end with the error after repeated failures that are not retryable', async () => {
    const broken = await (await newDatabase()).openJobs()
    await broken.jobs.cancel(id(0))
    // Dropping the schema would lock every table and could deadlock with pg-boss's own maintenance.
    await broken.database.query('ALTER SCHEMA bardo_jobs RENAME TO renamed')
    const errors: unknown[] = []
    const ended = broken.jobs.work({
      concurrency: 1,
      pollMs: 1,
      signal: new AbortController().signal,
      onError: (error) => errors.push(error),
      tick: async () => undefined,
    })
    await expect(ended).rejects.toThrow('does not exist')
    expect(errors).toHaveLength(5)
    await broken.close()
  }, 30_000)
})
