import { formatLongDuration, formatMinute } from '@bardo/core'
import type { LivingGolem } from '@bardo/golem'
import type { Store } from '@bardo/store'
import type { Hash } from 'viem'
import { printable } from '../terminal/printable.ts'
import { observeWords, wordsFor } from '../text/reasonWords.ts'
import { timeOfDay } from '../text/timeOfDay.ts'

/** Why a Golem is waiting. */
export type Waiting = {
  /** `paused`: by its owner. `rhythm`: the signed interval. `observing`: observe-only mode. `strategy`: the last decision of its strategy.
   * `coSigners`: its proposal waits for signatures. */
  readonly reason: 'paused' | 'rhythm' | 'observing' | 'strategy' | 'coSigners'
  /** In plain English, without the Golem's name. */
  readonly text: string
  /** When it checks or acts again, as an ISO time; null if unknown. */
  readonly until: string | null
}

/** How many of the latest events of all Golems are searched. */
const latestEvents = 1_000

/**
 * Why a Golem is waiting; null if it acts at its next tick, or will never act again.
 *
 * @param now - milliseconds since 1970
 */
export async function waitingFor(
  { store }: { readonly store: Pick<Store, 'audit' | 'events' | 'golems' | 'ownerRequests'> },
  golem: LivingGolem,
  now: number,
): Promise<Waiting | null> {
  const [{ permission, state, death, pausedAt }, row] = await Promise.all([
    golem.status(),
    store.golems.find(golem.id),
  ])
  if (death || row?.status === 'dead') return null
  if (pausedAt !== undefined) {
    const name = JSON.stringify(printable(row?.name ?? golem.id))
    const text = `is paused by you since ${formatMinute(Math.floor(pausedAt / 1_000))} UTC: bardo resume ${name}`
    return { reason: 'paused', text, until: null }
  }
  if (state.pending) {
    const proposal = (await store.ownerRequests.pending(golem.id)).find(({ kind }) => kind === 'cosign')
    const until = proposal?.expiresAt === undefined ? null : isoTime(proposal.expiresAt)
    return proposal ? { reason: 'coSigners', text: 'waits for co-signatures: bardo requests', until } : null
  }
  const nextTick = row?.nextTick
  if (state.recovery.type === 'observing') {
    const until = nextTick ?? Math.ceil(state.recovery.retryAt) * 1_000
    const text = `waits: ${wordsFor(observeWords, state.recovery.reason)}; checks again at ${timeOfDay(until)}`
    return { reason: 'observing', text, until: isoTime(until) }
  }
  const { cadenceSeconds } = permission.plan
  // If the node does not answer, only the last decision is known.
  const last = cadenceSeconds > 0 ? await golem.look().then(lastExecution, () => undefined) : undefined
  const free = last === undefined ? 0 : (last + cadenceSeconds) * 1_000
  if (free > now) {
    const text = `waits until ${timeOfDay(free)} (rhythm: ${rhythmWords(cadenceSeconds)})`
    return { reason: 'rhythm', text, until: isoTime(free) }
  }
  const reason = await lastWait(store, golem.id)
  // The minimum interval is over. Version 0.1 stored it as "the signed rhythm".
  if (reason === undefined || /^(signed minimum interval|the signed rhythm)/.test(reason)) return null
  const until = nextTick === undefined ? null : isoTime(nextTick)
  const again = nextTick === undefined ? '' : `; checks again at ${timeOfDay(nextTick)}`
  return { reason: 'strategy', text: `waits: ${reason}${again}`, until }
}

/** An interval in words: once a minute, once every 15 minutes. */
function rhythmWords(seconds: number): string {
  const [, unit] = units.find(([size]) => size === seconds) ?? []
  return unit ? `once ${unit}` : `once every ${formatLongDuration(seconds)}`
}

const units = [
  [1, 'a second'],
  [60, 'a minute'],
  [3_600, 'an hour'],
  [86_400, 'a day'],
  [604_800, 'a week'],
] as const

/** Milliseconds since 1970 as an ISO time. */
export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}

const lastExecution = ({ lastExecutionAt }: Awaited<ReturnType<LivingGolem['look']>>) => lastExecutionAt

/** The reason of its last decision, if that was to wait. */
async function lastWait(
  { audit, events }: Pick<Store, 'audit' | 'events'>,
  golem: Hash,
): Promise<string | undefined> {
  const { sequence } = await audit.head()
  const latest = await events.read({
    after: Math.max(0, sequence - latestEvents),
    golem,
    limit: latestEvents,
  })
  const decision = latest.findLast(({ name }) => name === 'action.waited' || name === 'action.intended')
  const body = decision?.name === 'action.waited' ? decision.body : undefined
  const because = typeof body === 'object' && body !== null && 'because' in body ? body['because'] : undefined
  return typeof because === 'string' ? because : undefined
}
