import type { StoredEvent } from '@bardo/store'
import type { Hash } from 'viem'
import { openContext } from '../context/openContext.ts'
import { readSettings } from '../context/settings.ts'
import { serveOffice } from '../rpc/serveOffice.ts'
import { socketPath } from '../rpc/socketPath.ts'
import type { Run } from '../terminal/command.ts'
import { createActivityLog, followEvents } from './up/activityLog.ts'
import { runHeartbeat } from './up/runHeartbeat.ts'
import { noteOnce, noteUnknownVariables, numberOption } from './words.ts'

/** How many claims per Golem are kept: an event may be read shortly after its tick. */
const mostClaims = 4
/** Printed by every worker: they may come from a process that ticks no Golem. */
const printedByAll: ReadonlySet<string> = new Set([
  'heartbeat.anomaly',
  'owner.requestFiled',
  'DeathProtocolStarted',
])

/** `bardo worker`: ticks Golems until Ctrl-C. Without a database server it also answers the other commands. */
export const worker: Run = async (call) => {
  const { terminal } = call
  const settings = { ...readSettings(call), warn: noteOnce(call) }
  noteUnknownVariables(call)
  const concurrency = numberOption(call, 'concurrency', { least: 1, most: 1_000, otherwise: 100 })
  const missedAfter = numberOption(call, 'missed-after', { least: 1, most: 86_400, otherwise: 900 })
  await using context = await openContext(settings)
  const { store, clock } = context
  const claims = createClaims(() => clock.now())
  const log = createActivityLog({
    terminal,
    findName: async (golem) => (await store.golems.find(golem))?.name,
    now: () => clock.now(),
    // Workers that share a database print only the events of their own ticks.
    ...(settings.databaseUrl && { isOurs: (event) => printedByAll.has(event.name) || claims.held(event) }),
  })
  await using _office = settings.databaseUrl
    ? undefined
    : await serveOffice(context, socketPath(settings.home), (error) => log.error(error, undefined))
  const { chainId } = context.chain.deployment
  const { sequence: after } = await store.audit.head()
  if (terminal.isJson) terminal.printJson({ type: 'ready', chainId, pid: process.pid })
  else
    terminal.print(
      `Running Golems on chain ${chainId}. Ctrl-C stops; other workers, or the next start, continue.`,
    )
  const failed = new AbortController()
  const signal = AbortSignal.any([call.signal, failed.signal])
  const heart = runHeartbeat(context, {
    signal,
    concurrency,
    missedAfterMs: missedAfter * 1_000,
    onTick: claims.note,
    log,
  })
  const following = followEvents(store, log, { after, signal })
  try {
    await Promise.all([heart, following])
  } finally {
    failed.abort()
    await Promise.allSettled([heart, following])
  }
  if (terminal.isJson) terminal.printJson({ type: 'stopped' })
  else terminal.print('Stopped. Other workers, or the next start, continue with these Golems.')
  return undefined
}

/** Records when this process held the tick of which Golem. */
function createClaims(now: () => number) {
  const claimsOf = new Map<Hash, { from: number; until: number }[]>()
  return {
    note(golem: Hash, what: 'begins' | 'ends'): void {
      const claims = claimsOf.get(golem) ?? []
      claimsOf.set(golem, claims)
      const last = claims.at(-1)
      if (what === 'ends' && last) last.until = now()
      if (what === 'begins') claims.push({ from: now(), until: Number.POSITIVE_INFINITY })
      if (claims.length > mostClaims) claims.shift()
    },
    held({ golem, at }: StoredEvent): boolean {
      return claimsOf.get(golem)?.some(({ from, until }) => at >= from && at <= until) ?? false
    },
  }
}
