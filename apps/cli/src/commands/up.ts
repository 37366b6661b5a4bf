import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { BardoError } from '@bardo/core'
import { devnetAccount } from '@bardo/devnet'
import { connectOffice } from '../office/connectOffice.ts'
import { localOffice } from '../office/localOffice.ts'
import { serveOffice } from '../office/serveOffice.ts'
import { socketPath } from '../office/socketPath.ts'
import { localChain } from '../place/findChain.ts'
import { localOwnerWallet } from '../place/localOwnerWallet.ts'
import { type Place, placeOf } from '../place/openPlace.ts'
import { readSettings } from '../place/settings.ts'
import type { Call, Run } from '../shell/command.ts'
import { printable } from '../shell/printable.ts'
import type { Terminal } from '../shell/terminal.ts'
import { alpha } from '../up/alpha.ts'
import { runHeart } from '../up/runHeart.ts'
import { type OpenWorld, startWorld } from '../up/startWorld.ts'
import { tellEvent } from '../up/tellEvent.ts'
import { numberOption } from './words.ts'

/** A world that ends hard loses at most so much of its chain. */
const keepMs = 2_000
/** A newcomer waits for the first trade. */
const pollMs = 500

/** `bardo up`: a world, a Golem and its heart in one process, until Ctrl-C. */
export const up: Run = async (call) => {
  const { terminal, options, signal } = call
  const settings = readSettings(call)
  const port = numberOption(call, 'port', { least: 0, most: 65_535, otherwise: 8_545 })
  if (settings.databaseUrl) throw needsFolder()
  if (await connectOffice(socketPath(settings.home))) throw runsAlready(settings.home)
  terminal.progress('Starting the world')
  // Nobody waits for a world that is not there yet: the chain ends with this process, which also gives the folder back.
  const leave = () => process.exit(0)
  signal.addEventListener('abort', leave)
  const starting = startWorld(settings, { port, isFresh: options['fresh'] === true })
  await using open = await starting.finally(() => signal.removeEventListener('abort', leave))
  const owner = devnetAccount('owner')
  // A runway is granted by a smart account (EIP-7702), and nobody else is there to make it one.
  await localOwnerWallet(open.world, owner).upgrade(owner.address)
  const place = placeOf(settings, localChain(open.world.description), open.store)
  const onDefect = (error: unknown) =>
    terminal.note(`A defect: ${error instanceof Error ? error.message : error}`)
  await using _office = await serveOffice(place, socketPath(settings.home), onDefect)
  const { sequence: before } = await place.store.audit.head()
  if (options['empty'] !== true) await orStop(summonAlpha(place, terminal), signal)
  // A summoning that was interrupted goes on at the next start.
  if (signal.aborted) return undefined
  sayReady(call, open, await place.store.golems.list({ limit: 100 }))

  const ending = new AbortController()
  const stop = AbortSignal.any([signal, ending.signal])
  const ended = open.world.ended.then((words) => {
    ending.abort()
    return words
  })
  const onError = (error: unknown) => {
    if (!stop.aborted) terminal.note(error instanceof BardoError ? error.message : `A defect: ${error}`)
  }
  await Promise.all([
    runHeart(place, { signal: stop, concurrency: 8, pollMs, onError }),
    tellAll(place, terminal, before, stop),
    keepAll(open, stop, onError),
  ])
  if (!signal.aborted)
    throw new BardoError('anvil ended by itself.', {
      code: 'ANVIL_FAILED',
      details: (await ended).split('\n'),
    })
  terminal.note('Stopping. The next start goes on here.')
  return undefined
}

/** A chain and its lives are kept, and set aside, together. */
function needsFolder(): BardoError {
  return new BardoError('A local world keeps its lives in its folder, not in a database server.', {
    code: 'CONFIG_INVALID',
    remedy: 'Unset DATABASE_URL; or run npm run devnet, and bardo worker with it.',
    docsPath: 'cli.md#the-local-world-goes-on',
  })
}

function runsAlready(home: string): BardoError {
  return new BardoError('A world runs in this folder already.', {
    code: 'STORE_LOCKED',
    details: [home],
    remedy: 'Use it: bardo status. Or name another folder with --home.',
    docsPath: 'cli.md#one-process-has-the-folder',
  })
}

/** Waits for something to be done, or for the signal. */
async function orStop(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const ended = new AbortController()
  const stopped = once(signal, 'abort', { signal: ended.signal }).catch(() => {})
  await Promise.race([work, stopped]).finally(() => ended.abort())
  work.catch(() => {})
}

/** Summons the first Golem, once: whoever killed it does not want it back at the next start. */
async function summonAlpha(place: Place, terminal: Terminal): Promise<void> {
  const { name, strategy, heartbeat } = alpha
  const known = await place.store.golems.list({ name, limit: 1 })
  if (known.some(({ status }) => status !== 'onboarding')) return
  const note = (text: string) => terminal.progress(text)
  await localOffice(place).ask('summon', { name, strategy, heartbeat }, { note })
}

function sayReady(
  { terminal }: Call,
  { world, before }: OpenWorld,
  golems: readonly { name: string; status: string }[],
) {
  const living = golems.filter(({ status }) => status !== 'dead')
  if (terminal.isJson)
    return terminal.printJson({
      is: 'ready',
      url: world.url,
      chainId: world.chainId,
      before,
      golems: living.map(({ name }) => name),
    })
  const { stress } = terminal
  const first = living[0]?.name ?? alpha.name
  const quoted = first.includes(' ') ? `"${first}"` : first
  if (before.is === 'aside')
    terminal.note(`The world before was set aside (${before.because}): ${before.folder}`)
  terminal.print(
    [
      stress('bold', before.is === 'kept' ? 'Bardo is up again, and the same lives go on.' : 'Bardo is up.'),
      '',
      `  chain   ${world.url}, id ${world.chainId}`,
      `  alive   ${living.map(({ name }) => name).join(', ') || 'nobody'}`,
      '',
      'Try in another terminal:',
      '  npx bardo watch                              all of it live, on one screen',
      '  npx bardo status                             how it stands',
      '  npx bardo tree                               what its owner signed',
      '  npx bardo explain swap 5000 USDC to WETH     what would be refused, and why',
      `  ${`npx bardo feed ${quoted}`.padEnd(43)}  sign for it anew`,
      `  ${`npx bardo kill ${quoted}`.padEnd(43)}  end it; nothing is left to sweep`,
      '',
      'Ctrl-C stops everything. What happens:',
    ].join('\n'),
  )
  return undefined
}

/** Every piece of news as a line. */
async function tellAll(
  { store }: Place,
  terminal: Terminal,
  after: number,
  signal: AbortSignal,
): Promise<void> {
  const names = new Map<string, string>()
  for await (const event of store.events.subscribe({ after, signal })) {
    if (terminal.isJson) {
      const { sequence, golem, name, at, body } = event
      terminal.printJson({ is: 'event', sequence, golem, name, at, body })
      continue
    }
    const sentence = tellEvent(event)
    if (sentence === undefined) continue
    if (!names.has(event.golem))
      names.set(event.golem, printable((await store.golems.find(event.golem))?.name ?? 'Somebody'))
    const time = new Date(event.at).toTimeString().slice(0, 8)
    terminal.print(
      `${terminal.stress('dim', time)}  ${terminal.stress('cyan', names.get(event.golem) ?? '')} ${sentence}`,
    )
  }
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
