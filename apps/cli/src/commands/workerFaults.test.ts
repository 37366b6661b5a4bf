import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@bardo/chain'
import { type Devnet, startDevnet } from '@bardo/devnet'
import { openStore, type Store, type StoredEvent } from '@bardo/store'
import { type PostgresServer, startPostgres } from '@bardo/store/testing/postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runBardo } from '../testing/runBardo.ts'
import { startSlowNode } from '../testing/slowNode.ts'
import { type RunningBardo, startBardo } from '../testing/startBardo.ts'

const strategy = 'Every minute, swap $2 of USDC into WETH.\nbudget: $500/day\nlifespan: 30 days\n'
const heartbeat = '## Schedule\n\n- interval: 1 second\n- fastest: 1 second\n- slowest: 2 seconds\n'

describe('bardo worker under faults', { timeout: 120_000 }, () => {
  const home = mkdtempSync(join(tmpdir(), 'bardo-worker-'))
  const started: RunningBardo[] = []
  let world: Devnet
  let server: PostgresServer
  let store: Store
  let env: NodeJS.ProcessEnv
  let count = 0

  beforeAll(async () => {
    ;[world, server] = await Promise.all([startDevnet({ port: 0 }), startPostgres()])
    writeFileSync(join(home, 'devnet.json'), JSON.stringify(world.description))
    writeFileSync(join(home, 'STRATEGY.md'), strategy)
    writeFileSync(join(home, 'HEARTBEAT.md'), heartbeat)
    const databaseUrl = await server.createDatabase()
    env = { DATABASE_URL: databaseUrl }
    store = await openStore({ databaseUrl, clock: systemClock })
  })
  afterAll(async () => {
    for (const one of started) one.signal('SIGKILL')
    await Promise.all(started.map(({ ended }) => ended))
    await store?.close()
    await server?.[Symbol.asyncDispose]()
    await world?.stop()
    rmSync(home, { recursive: true, force: true })
  })

  async function summon(): Promise<string> {
    count += 1
    const files = [join(home, 'STRATEGY.md'), '--heartbeat', join(home, 'HEARTBEAT.md')]
    const words = ['summon', ...files, '--name', `golem ${count}`, '--yes', '--json', '--home', home]
    const { stdout } = await runBardo(words, env)
    return JSON.parse(stdout).golem
  }
  async function work(...words: string[]) {
    const worker = startBardo(['worker', '--home', home, ...words], env)
    started.push(worker)
    await worker.until(({ type }) => type === 'ready')
    return worker
  }
  /** The first event of a Golem with this name after a sequence number. */
  async function until(golem: string, name: string, after = 0): Promise<StoredEvent> {
    for await (const event of store.events.subscribe({ after, signal: AbortSignal.timeout(100_000) }))
      if (event.golem === golem && event.name === name) return event
    throw new Error('the event stream ended without it')
  }
  const head = async () => (await store.audit.head()).sequence
  const namesOf = async (after: number) =>
    (await store.events.read({ after, limit: 10_000 })).map(({ name }) => name)
  const end = (worker: RunningBardo) => {
    worker.signal('SIGTERM')
    return worker.ended
  }

  const reported = new Set<unknown>()
  const isOutage = (line: Readonly<Record<string, unknown>>, state: string) =>
    line['type'] === 'outage' && line['of'] === 'database' && line['state'] === state

  it('ticks again after each PostgreSQL outage, and prints the outage', async () => {
    const golem = await summon()
    const worker = await work()
    await until(golem, 'heartbeat.ticked')
    for (const _ of [1, 2]) {
      await server.stop()
      const { at } = await worker.until((line) => isOutage(line, 'begins') && !reported.has(line['at']))
      reported.add(at)
      await server.start()
      const ends = await worker.until((line) => isOutage(line, 'ends') && Number(line['at']) > Number(at))
      expect(ends).toMatchObject({ of: 'database' })
      await until(golem, 'heartbeat.ticked', await head())
    }
    expect(await end(worker)).toMatchObject({ exit: 0, stderr: '' })
  })
  it('reports no missed tick after the process was suspended, and continues to trade', async () => {
    const golem = await summon()
    const worker = await work('--missed-after', '2')
    await until(golem, 'action.landed')
    const before = await head()
    worker.signal('SIGSTOP')
    const stoppedAt = Date.now()
    await expect.poll(() => Date.now() - stoppedAt, { timeout: 20_000 }).toBeGreaterThan(9_000)
    const after = await head()
    worker.signal('SIGCONT')
    await until(golem, 'heartbeat.ticked', after)
    // A second check of the watcher after the suspension.
    await until(golem, 'heartbeat.ticked', (await until(golem, 'heartbeat.ticked', await head())).sequence)
    expect(await namesOf(before)).not.toContain('heartbeat.anomaly')
    expect(await namesOf(before)).not.toContain('DeathProtocolStarted')
    expect(await end(worker)).toMatchObject({ exit: 0, stderr: '' })
  })

  it('does not report a running tick as missed with a node that takes two seconds per answer', async () => {
    const golem = await summon()
    await using node = await startSlowNode(world.url)
    const worker = await work('--rpc', node.url, '--missed-after', '2')
    await until(golem, 'heartbeat.ticked')
    const before = await head()
    node.delayMs = 2_000
    for (const _ of [1, 2]) await until(golem, 'heartbeat.ticked', await head())
    expect(await namesOf(before)).not.toContain('heartbeat.anomaly')
    expect(await end(worker)).toMatchObject({ exit: 0, stderr: '' })
  })

  it('stops within ten seconds while a transaction is pending, and another worker sees it land once', async () => {
    await using node = await startSlowNode(world.url)
    node.hangs = 'eth_getTransactionReceipt'
    const worker = await work('--rpc', node.url)
    const golem = await summon()
    await until(golem, 'action.intended')
    const ended = end(worker)
    // Golems of earlier tests may be in the middle of a tick too.
    const stopping = await worker.until(({ type }) => type === 'stopping')
    expect(stopping).toMatchObject({ golems: expect.arrayContaining([golem]), stopMs: 5_000 })
    // It ends by itself: an end forced by the limit of nine seconds has another exit code, and says so.
    expect(await ended).toEqual({ exit: 0, stderr: '' })
    const next = await work()
    await until(golem, 'action.landed')
    await until(golem, 'heartbeat.ticked', await head())
    const landed = (await store.events.read({ after: 0, limit: 10_000 })).filter(
      (event) => event.golem === golem && event.name === 'action.landed',
    )
    expect(landed).toHaveLength(1)
    expect(await end(next)).toMatchObject({ exit: 0 })
  })

  it('exits with an error for a database failure that is not temporary', async () => {
    const databaseUrl = await server.createDatabase()
    const worker = startBardo(['worker', '--home', home], { DATABASE_URL: databaseUrl })
    started.push(worker)
    await worker.until(({ type }) => type === 'ready')
    // The worker creates its queue at its first poll. Renaming it earlier would only create it again.
    const rename = () =>
      server.run(
        databaseUrl,
        `DO $$ BEGIN
           IF NOT EXISTS (SELECT FROM bardo_jobs.queue WHERE name = 'tick') THEN RAISE 'too early'; END IF;
           ALTER SCHEMA bardo_jobs RENAME TO renamed;
         END $$`,
      )
    await expect
      .poll(
        () =>
          rename().then(
            () => true,
            () => false,
          ),
        { timeout: 30_000 },
      )
      .toBe(true)
    expect(await worker.until((line) => 'error' in line)).toBeDefined()
    expect((await worker.ended).exit).not.toBe(0)
  })
})
