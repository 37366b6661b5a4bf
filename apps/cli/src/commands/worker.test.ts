import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@bardo/chain'
import { type Devnet, startDevnet } from '@bardo/devnet'
import { openStore, type Store, type StoredEvent } from '@bardo/store'
import { type PostgresServer, startPostgres } from '@bardo/store/testing/postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runBardo } from '../testing/runBardo.ts'
import { type RunningBardo, startBardo } from '../testing/startBardo.ts'

const strategy = 'Every minute, swap $2 of USDC into WETH.\nbudget: $500/day\nlifespan: 30 days\n'
const heartbeat = '## Schedule\n\n- interval: 10 seconds\n- fastest: 5 seconds\n- slowest: 20 seconds\n'

describe('bardo worker', { timeout: 60_000 }, () => {
  const home = mkdtempSync(join(tmpdir(), 'bardo-worker-'))
  const file = join(home, 'STRATEGY.md')
  const schedule = join(home, 'HEARTBEAT.md')
  const started: RunningBardo[] = []
  let world: Devnet
  let server: PostgresServer
  let store: Store
  let env: NodeJS.ProcessEnv

  beforeAll(async () => {
    ;[world, server] = await Promise.all([startDevnet({ port: 0 }), startPostgres()])
    writeFileSync(join(home, 'devnet.json'), JSON.stringify(world.description))
    writeFileSync(file, strategy)
    writeFileSync(schedule, heartbeat)
    const databaseUrl = await server.createDatabase()
    env = { DATABASE_URL: databaseUrl }
    // The first process to open the database sets how long a dead worker keeps its ticks.
    store = await openStore({ databaseUrl, clock: systemClock, jobs: { heartbeatSeconds: 10 } })
    await store.jobs.scheduleAll([])
  })
  afterAll(async () => {
    for (const one of started) one.signal('SIGKILL')
    await Promise.all(started.map(({ ended }) => ended))
    await store?.close()
    await server?.[Symbol.asyncDispose]()
    await world?.stop()
    rmSync(home, { recursive: true, force: true })
  })

  const bardo = (...words: string[]) => runBardo([...words, '--home', home], env)
  const json = async (...words: string[]) => {
    const { exit, stdout } = await bardo(...words, '--json')
    return { exit, ...JSON.parse(stdout) }
  }
  const summon = async (name: string) =>
    (await json('summon', file, '--name', name, '--heartbeat', schedule, '--yes')).golem
  async function work(folder = home, surroundings = env) {
    const worker = startBardo(['worker', '--home', folder], surroundings)
    started.push(worker)
    await worker.until(({ type }) => type === 'ready')
    return worker
  }
  /** The first event of a Golem with this name, past or future. */
  async function until(golem: string, isIt: (event: StoredEvent) => boolean): Promise<StoredEvent> {
    for await (const event of store.events.subscribe({ after: 0, signal: AbortSignal.timeout(50_000) }))
      if (event.golem === golem && isIt(event)) return event
    throw new Error('the event stream ended without it')
  }
  const named = (name: string) => (event: StoredEvent) => event.name === name

  it('shares the Golems: after a worker is killed, another continues its Golem, and the trade lands once', async () => {
    const first = await work()
    const one = await summon('one')
    // It is in the middle of a tick, which no other worker may run meanwhile.
    await until(one, named('action.intended'))
    first.signal('SIGKILL')
    await first.ended

    const [second, third] = await Promise.all([work(), work()])
    const two = await summon('two')
    await until(two, named('action.landed'))
    const { sequence } = await store.audit.head()
    await until(one, (event) => event.name === 'heartbeat.ticked' && event.sequence > sequence)
    expect(await json('status', 'one')).toMatchObject({
      exit: 0,
      status: 'alive',
      day: { spentCents: '200' },
    })

    expect(await json('kill', 'two', '--yes')).toMatchObject({ exit: 0, disabledOnChain: true })
    expect(await json('status', two)).toMatchObject({ status: 'dead' })
    expect(await json('audit', 'verify')).toMatchObject({ type: 'intact' })

    for (const worker of [second, third]) worker.signal('SIGTERM')
    for (const worker of [second, third]) expect(await worker.ended).toEqual({ exit: 0, stderr: '' })
  })

  it('without PostgreSQL, holds the data folder and answers commands for it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bardo-worker-'))
    copyFileSync(join(home, 'devnet.json'), join(folder, 'devnet.json'))
    const worker = await work(folder, {})
    const there = (...words: string[]) => runBardo([...words, '--home', folder, '--json'])
    expect((await there('worker')).exit).toBe(69)
    const summoned = await there('summon', file, '--name', 'solo', '--yes')
    const { golem } = JSON.parse(summoned.stdout)
    const { stdout } = await there('status', 'solo')
    expect(JSON.parse(stdout)).toMatchObject({ golem, status: 'alive' })
    expect(JSON.parse((await there('kill', 'solo', '--yes')).stdout)).toMatchObject({ disabledOnChain: true })
    worker.signal('SIGTERM')
    expect(await worker.ended).toEqual({ exit: 0, stderr: '' })
    for (const left of ['office.sock', 'db.lock']) expect(existsSync(join(folder, left))).toBe(false)
    rmSync(folder, { recursive: true })
  })
})
