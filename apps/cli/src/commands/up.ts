import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { BardoError } from '@bardo/core'
import { devnetAccount } from '@bardo/devnet'
import { localChain } from '../context/findChain.ts'
import { localOwnerWallet } from '../context/localOwnerWallet.ts'
import { type Context, contextOf } from '../context/openContext.ts'
import { readSettings } from '../context/settings.ts'
import { connectOffice } from '../rpc/connectOffice.ts'
import { localOffice } from '../rpc/localOffice.ts'
import { serveOffice } from '../rpc/serveOffice.ts'
import { socketPath } from '../rpc/socketPath.ts'
import type { CommandInput, Run } from '../terminal/command.ts'
import { exitAtOnce } from '../terminal/exitAtOnce.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { type ActivityLog, createActivityLog, followEvents } from './up/activityLog.ts'
import { defaultGolem } from './up/defaultGolem.ts'
import { runHeartbeat } from './up/runHeartbeat.ts'
import { type OpenWorld, startWorld } from './up/startWorld.ts'
import { noteOnce, noteUnknownVariables, numberOption } from './words.ts'

/** How often the chain is saved. A process that is killed loses at most this much of it. */
const keepMs = 2_000
/** Short, because a new user waits for the first trade. */
const pollMs = 500

/** `bardo up`: a local chain, a Golem and its worker in one process, until Ctrl-C. */
export const up: Run = async (call) => {
  const { terminal, options, signal } = call
  const settings = { ...readSettings(call), warn: noteOnce(call) }
  noteUnknownVariables(call)
  const port = numberOption(call, 'port', { least: 0, most: 65_535, otherwise: 8_545 })
  if (settings.databaseUrl) throw needsFolder()
  if (await connectOffice(socketPath(settings.home))) throw runsAlready(settings.home)
  terminal.progress('Starting the local chain')
  // During the start, Ctrl-C exits at once: the chain ends with this process, and the lock on the folder with it.
  const leave = () => exitAtOnce(0)
  signal.addEventListener('abort', leave)
  const starting = startWorld(settings, { port, isFresh: options['fresh'] === true })
  await using open = await starting.finally(() => signal.removeEventListener('abort', leave))
  const owner = devnetAccount('owner')
  // Only a smart account can grant a runway, so the test owner's key is upgraded to one (EIP-7702).
  await localOwnerWallet(open.world, owner).upgrade(owner.address)
  const context = contextOf(settings, localChain(open.world.description), open.store)
  const onDefect = (error: unknown) =>
    terminal.note(`Unexpected error: a bug in Bardo (${error instanceof Error ? error.name : typeof error}).`)
  await using _office = await serveOffice(context, socketPath(settings.home), onDefect)
  const { sequence: before } = await context.store.audit.head()
  if (options['empty'] !== true) await orStop(summonAlpha(context, terminal), signal)
  // The next start continues an interrupted summoning.
  if (signal.aborted) return undefined
  sayReady(call, open, await context.store.golems.list({ limit: 100 }))

  const ending = new AbortController()
  const stop = AbortSignal.any([signal, ending.signal])
  const ended = open.world.ended.then((words) => {
    ending.abort()
    return words
  })
  const activity = createActivityLog({
    terminal,
    findName: async (golem) => (await context.store.golems.find(golem))?.name,
    now: () => context.clock.now(),
  })
  const log: ActivityLog = {
    ...activity,
    // Errors after the chain has ended, or while the process stops, are consequences and not news.
    error: (error, golem) => {
      if (!stop.aborted) activity.error(error, golem)
    },
  }
  const work = [
    runHeartbeat(context, { signal: stop, concurrency: 8, pollMs, log }),
    followEvents(context.store, log, { after: before, signal: stop }),
    keepAll(open, stop, (error) => log.error(error, undefined)),
  ]
  try {
    await Promise.all(work)
  } finally {
    ending.abort()
    await Promise.allSettled(work)
  }
  if (!signal.aborted)
    throw new BardoError('The local chain (anvil) stopped unexpectedly.', {
      code: 'ANVIL_FAILED',
      details: (await ended).split('\n'),
    })
  terminal.note('Stopped. The next start continues from here.')
  return undefined
}

/** The chain and its Golems are saved, and archived, together. */
function needsFolder(): BardoError {
  return new BardoError('bardo up stores its Golems in the data folder and cannot use a database server.', {
    code: 'CONFIG_INVALID',
    remedy: 'Unset DATABASE_URL, or run npm run devnet and bardo worker instead.',
    docsPath: 'cli.md#keeping-the-local-world',
  })
}

function runsAlready(home: string): BardoError {
  return new BardoError('A Bardo process is already running for this data folder.', {
    code: 'STORE_LOCKED',
    details: [home],
    remedy: 'Use it with bardo status, or choose another folder with --home.',
    docsPath: 'cli.md#one-process-per-data-folder',
  })
}

/** Waits for the work to finish, or for the signal. */
async function orStop(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const ended = new AbortController()
  const stopped = once(signal, 'abort', { signal: ended.signal }).catch(() => {})
  await Promise.race([work, stopped]).finally(() => ended.abort())
  work.catch(() => {})
}

/** Summons the first Golem, once: a Golem that its owner killed is not summoned again at the next start. */
async function summonAlpha(context: Context, terminal: Terminal): Promise<void> {
  const { name, strategy, heartbeat } = defaultGolem
  const existing = await context.store.golems.list({ name, limit: 1 })
  if (existing.some(({ status }) => status !== 'onboarding')) return
  const note = (text: string) => terminal.progress(text)
  await localOffice(context).ask('summon', { name, strategy, heartbeat }, { note })
}

function sayReady(
  { terminal }: CommandInput,
  { world, before }: OpenWorld,
  golems: readonly { name: string; status: string }[],
) {
  const living = golems.filter(({ status }) => status !== 'dead')
  if (terminal.isJson)
    return terminal.printJson({
      type: 'ready',
      url: world.url,
      chainId: world.chainId,
      before,
      golems: living.map(({ name }) => name),
    })
  const { stress } = terminal
  const first = living[0]?.name ?? defaultGolem.name
  const quoted = first.includes(' ') ? `"${first}"` : first
  if (before.type === 'aside')
    terminal.note(`The previous chain and its Golems were moved to ${before.folder}: ${before.because}.`)
  terminal.print(
    [
      stress(
        'bold',
        before.type === 'kept' ? 'Bardo is up again, with the same chain and Golems.' : 'Bardo is up.',
      ),
      '',
      `  chain   ${world.url}, id ${world.chainId}`,
      `  Golems  ${living.map(({ name }) => name).join(', ') || 'none'}`,
      '',
      'Try in another terminal:',
      '  npx bardo watch                              a live view of everything',
      '  npx bardo status                             its state, money and limits',
      '  npx bardo tree                               what its owner signed',
      '  npx bardo explain swap 5000 USDC to WETH     why that would be refused',
      `  ${`npx bardo feed ${quoted}`.padEnd(43)}  renew its permission`,
      `  ${`npx bardo kill ${quoted}`.padEnd(43)}  shut it down permanently`,
      '',
      'Ctrl-C stops everything. Activity:',
    ].join('\n'),
  )
  return undefined
}

async function keepAll(
  { keep }: OpenWorld,
  signal: AbortSignal,
  onError: (error: unknown) => void,
): Promise<void> {
  while (!signal.aborted) {
    await pause(keepMs, undefined, { signal }).catch(() => {})
    if (!signal.aborted) await keep().catch(onError)
  }
}
