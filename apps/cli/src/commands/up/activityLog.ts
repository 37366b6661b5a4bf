import { setTimeout as pause } from 'node:timers/promises'
import { BardoError } from '@bardo/core'
import type { Store, StoredEvent } from '@bardo/store'
import type { Hash } from 'viem'
import { printable } from '../../terminal/printable.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { eventText } from '../../text/eventText.ts'

/** The log of a process that ticks Golems: one line for each outcome, outage, request and death. */
export type ActivityLog = {
  /** Prints an event, unless it says nothing new. */
  event(event: StoredEvent): Promise<void>
  /** Prints a failure once, until a different one occurs. An unreachable database is printed as one outage. */
  error(error: unknown, golem: Hash | undefined): void
  /** Ends the database outage, if there is one. */
  databaseAnswers(): void
  /** Prints which Golems a stopping process waits for. */
  stopping(golems: readonly Hash[], stopMs: number): void
}

type Parts = {
  readonly terminal: Terminal
  /** The name of a Golem, if it exists. */
  readonly findName: (golem: Hash) => Promise<string | undefined>
  readonly now: () => number
  /** Whether this process prints an event. Default: all of them. */
  readonly isOurs?: (event: StoredEvent) => boolean
}

/** The longest reason that is printed. It may be untrusted text, such as a model's. */
const longestReason = 200
const outagePauseMs = 1_000
const rpcOutages: ReadonlySet<unknown> = new Set(['rpcOutage', 'blind'])
const rpcCodes: ReadonlySet<unknown> = new Set(['RPC_UNAVAILABLE', 'RPC_MALFORMED'])
/** Printed again only after something else happened. */
const repeated: ReadonlySet<string> = new Set([
  'action.waited',
  'heartbeat.stepFailed',
  'rotation.stepFailed',
])

/** The log of a process. With `--json`, each line is an object, and events are printed in full. */
export function createActivityLog({ terminal, findName, now, isOurs = () => true }: Parts): ActivityLog {
  const names = new Map<Hash, string>()
  const lastPrinted = new Map<string, string>()
  const withoutRpc = new Set<Hash>()
  let rpcSince = 0
  let databaseSince: number | undefined

  const nameOf = (golem: Hash) => names.get(golem) ?? `Golem ${golem.slice(0, 10)}…`
  const time = (at: number) => {
    const moment = new Date(at)
    return terminal.isInteractive ? moment.toTimeString().slice(0, 8) : moment.toISOString()
  }
  function line(at: number, sentence: string, golem?: Hash): void {
    const who = golem ? `${terminal.stress('cyan', nameOf(golem))} ` : ''
    terminal.print(`${terminal.stress('dim', time(at))}  ${who}${sentence}`)
  }

  async function learnName(golem: Hash): Promise<void> {
    if (names.has(golem)) return
    const name = await findName(golem)
    if (name !== undefined) names.set(golem, printable(name))
  }

  function outage(of: 'rpc' | 'database', state: 'begins' | 'ends', since: number): void {
    const at = now()
    const seconds = Math.round((at - since) / 1_000)
    if (terminal.isJson)
      terminal.printJson({ type: 'outage', of, state, at, ...(state === 'ends' && { seconds }) })
    else line(at, state === 'begins' ? outageWords[of] : `${answerWords[of]} The outage lasted ${seconds} s.`)
  }

  /** Merges the reports of many Golems into one outage of the node. True if the event is covered by that. */
  function followRpc({ golem, name, at, body }: StoredEvent): boolean {
    const { reason, failure } = fieldsOf(body)
    if (name === 'heartbeat.stepFailed') return rpcCodes.has(fieldsOf(failure)['code'])
    const isOut = name === 'recovery.observing' && rpcOutages.has(reason)
    if (isOut) {
      if (withoutRpc.size === 0) {
        rpcSince = at
        outage('rpc', 'begins', at)
      }
      withoutRpc.add(golem)
      return true
    }
    const isBack = /^recovery\.|^DeathCompleted$/.test(name) && withoutRpc.delete(golem)
    if (isBack && withoutRpc.size === 0) outage('rpc', 'ends', rpcSince)
    return isBack && name === 'recovery.acting'
  }

  return {
    async event(event) {
      if (!isOurs(event)) return
      const { sequence, golem, name, at, body } = event
      if (terminal.isJson) terminal.printJson({ type: 'event', sequence, golem, name, at, body })
      const sentence = followRpc(event) ? undefined : sentenceOf(event)
      if (terminal.isJson || sentence === undefined) return
      const key = `${golem} ${name}`
      if (repeated.has(name) && lastPrinted.get(key) === sentence) return
      // After an action, the same sentence is news again.
      if (name === 'action.landed') for (const other of repeated) lastPrinted.delete(`${golem} ${other}`)
      lastPrinted.set(key, sentence)
      await learnName(golem)
      line(at, sentence, golem)
    },

    error(error, golem) {
      const isOutage = error instanceof BardoError && error.code === 'STORE_UNAVAILABLE' && error.retryable
      if (isOutage) {
        if (databaseSince !== undefined) return
        databaseSince = now()
        return outage('database', 'begins', databaseSince)
      }
      const failure = failureOf(error)
      const key = `${golem} error`
      if (lastPrinted.get(key) === failure.text) return
      lastPrinted.set(key, failure.text)
      if (terminal.isJson)
        return terminal.printJson({ type: 'error', at: now(), golem: golem ?? null, error: failure.json })
      line(now(), golem ? `was not ticked: ${failure.text}` : failure.text, golem)
    },

    databaseAnswers() {
      if (databaseSince === undefined) return
      outage('database', 'ends', databaseSince)
      databaseSince = undefined
    },

    stopping(golems, stopMs) {
      const waiting = golems.map(nameOf)
      if (terminal.isJson) return terminal.printJson({ type: 'stopping', golems, stopMs })
      const seconds = Math.round(stopMs / 1_000)
      line(
        now(),
        `Stopping. Waiting up to ${seconds} s for ${waiting.join(', ')}. Open transactions stay in the journal; the next process continues with them.`,
      )
    },
  }
}

/** Prints every event after a cursor until the signal is aborted. Reconnects after a database outage. */
export async function followEvents(
  { events }: Pick<Store, 'events'>,
  log: Pick<ActivityLog, 'event' | 'error'>,
  { after, signal }: { readonly after: number; readonly signal: AbortSignal },
): Promise<void> {
  let cursor = after
  while (!signal.aborted) {
    try {
      for await (const event of events.subscribe({ after: cursor, signal })) {
        cursor = event.sequence
        await log.event(event)
      }
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof BardoError && error.retryable)) throw error
      log.error(error, undefined)
      await pause(outagePauseMs, undefined, { signal }).catch(() => {})
    }
  }
}

const outageWords = {
  rpc: 'The RPC node does not answer. Golems are in observe-only mode until it does.',
  database: 'The database does not answer. Trying again until it does.',
} as const
const answerWords = { rpc: 'The RPC node answers again.', database: 'The database answers again.' } as const

function sentenceOf(event: StoredEvent): string | undefined {
  if (event.name !== 'action.waited') return eventText(event)
  const { because } = fieldsOf(event.body)
  return `waits: ${printable(`${because}`).slice(0, longestReason)}`
}

/** Prints only the text of a BardoError: any other error may contain the node's URL with an API key. */
function failureOf(error: unknown): { readonly text: string; readonly json: unknown } {
  if (error instanceof BardoError)
    return { text: `${error.shortMessage} (${error.code})`, json: error.toJSON() }
  const kind = error instanceof Error ? error.name : typeof error
  return { text: `Unexpected error: a bug in Bardo (${kind}).`, json: { code: 'INTERNAL', details: [kind] } }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
