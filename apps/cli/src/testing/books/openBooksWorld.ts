import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { BardoError, type Clock } from '@bardo/core'
import { type Devnet, startDevnet } from '@bardo/devnet'
import { runWorker, stayAwake, watchHeartbeats } from '@bardo/golem'
import { openStore, type Store } from '@bardo/store'
import { emptyPglite } from '@bardo/store/testing/pglite'
import { createPublicClient, custom, type Hash } from 'viem'
import { type ChainConnection, localChain } from '../../context/findChain.ts'
import { type Context, contextOf } from '../../context/openContext.ts'
import { serveOffice } from '../../rpc/serveOffice.ts'
import { socketPath } from '../../rpc/socketPath.ts'
import { runBardo } from '../runBardo.ts'
import { createInterleaving, type Interleaving } from './interleave.ts'
import { createSimulatedJobs } from './simulatedJobs.ts'

/** The JSON output and the exit code of a command. */
export type CommandResult = { readonly exit: number; readonly data: ReturnType<typeof JSON.parse> }

/** A local chain for sequences, with a clock that the test moves, a store, a worker, and `bardo` as the owner runs it. */
export type BooksWorld = AsyncDisposable & {
  readonly home: string
  readonly world: Devnet
  readonly store: Store
  /** The worker's context. */
  readonly context: Context
  readonly interleaving: Interleaving
  /** The errors of ticks since the last call, without temporary ones. */
  failures(): readonly string[]
  bardo(...words: readonly string[]): Promise<CommandResult>
  /** One tick of a Golem by the worker. */
  tick(golem: Hash): Promise<boolean>
  /** Runs one check for missed ticks. */
  watch(): Promise<void>
  /** Advances the time of the chain and of all processes, as if they were suspended. */
  pass(seconds: number): Promise<void>
  /** Sets the clock of the processes to the time of the chain. */
  follow(): Promise<void>
  write(name: string, text: string): string
}

/** The same value as in production. */
const watchMs = 30_000

/** Opens one in its own folder. */
export async function openBooksWorld(): Promise<BooksWorld> {
  await using opening = new AsyncDisposableStack()
  const home = mkdtempSync(join(tmpdir(), 'bardo-books-'))
  opening.defer(() => rmSync(home, { recursive: true, force: true }))
  cpSync(await emptyPglite(), join(home, 'db'), { recursive: true })
  const world = opening.use(await startDevnet({ port: 0 }))
  const { client } = world
  // Each block is one second after the last, so that time does not depend on the machine.
  await client.setBlockTimestampInterval({ interval: 1 })
  let now = Number((await client.getBlock()).timestamp) * 1_000
  const clock: Clock = {
    now: () => now,
    async sleep(milliseconds) {
      now += milliseconds
      await pause(1)
    },
  }
  const opened = opening.use(await openStore({ home, clock }))
  const jobs = createSimulatedJobs(clock)
  const store: Store = { ...opened, jobs }
  const interleaving = createInterleaving()
  const settings = { home, databaseUrl: undefined, rpcUrl: undefined, env: {} }
  const chain = localChain(world.description, clock.now)
  const contextWith = (asks: () => Promise<void>) => contextOf(settings, heard(chain, asks), store, clock)
  const owner = contextWith(interleaving.ownerAsks)
  const context = contextWith(interleaving.workerAsks)
  let failures: string[] = []
  const onError = (error: unknown, golem: Hash | undefined) => {
    if (error instanceof BardoError && error.retryable) return
    failures.push(`a tick of ${golem?.slice(0, 10)} failed: ${error instanceof Error ? error.stack : error}`)
  }
  opening.use(await serveOffice(owner, socketPath(home), (error) => onError(error, undefined)))
  const stopping = new AbortController()
  const { signal } = stopping
  const working = runWorker({ store, clock, summon: context.open, concurrency: 1, signal, onError })
  opening.defer(async () => {
    stopping.abort()
    await working
  })
  let awake: ReturnType<typeof stayAwake> | undefined
  const follow = async () => {
    now = Math.max(now, Number((await client.getBlock()).timestamp) * 1_000)
  }
  const watch = async () => {
    awake = stayAwake(awake, now, 2 * watchMs)
    await watchHeartbeats({ store, clock, summon: context.open, onError }, awake.since, awake.at)
  }
  const disposables = opening.move()
  return {
    home,
    world,
    store,
    context,
    interleaving,
    follow,
    watch,
    failures() {
      const all = failures
      failures = []
      return all
    },
    async bardo(...words) {
      const { exit, stdout, stderr } = await runBardo([...words, '--home', home, '--json'])
      try {
        return { exit, data: JSON.parse(stdout) }
      } catch {
        return { exit, data: { error: { code: 'NOT_JSON', message: `${stdout}${stderr}` } } }
      }
    },
    tick: jobs.tick,
    async pass(seconds) {
      await follow()
      now += seconds * 1_000
      await client.setNextBlockTimestamp({ timestamp: BigInt(Math.floor(now / 1_000)) })
      await client.mine({ blocks: 1 })
    },
    write(name, text) {
      const file = join(home, name)
      writeFileSync(file, text, { mode: 0o600 })
      return file
    },
    [Symbol.asyncDispose]: () => disposables.disposeAsync(),
  }
}

/** The same chain for one process, whose requests wait for their turn. */
function heard(chain: ChainConnection, asks: () => Promise<void>): ChainConnection {
  const { request } = chain.client
  const transport = custom(
    {
      async request(question) {
        await asks()
        return request(question)
      },
    },
    { retryCount: 0 },
  )
  const client = createPublicClient({
    ...(chain.client.chain && { chain: chain.client.chain }),
    transport,
    cacheTime: 0,
    pollingInterval: 5,
  })
  return { ...chain, client, submitter: { ...chain.submitter, pollMs: 5 } }
}
