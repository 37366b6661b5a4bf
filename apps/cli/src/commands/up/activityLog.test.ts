import { BardoError } from '@bardo/core'
import type { StoredEvent } from '@bardo/store'
import type { Hash } from 'viem'
import { expect, it } from 'vitest'
import { createTerminal } from '../../terminal/terminal.ts'
import { createActivityLog } from './activityLog.ts'

const alpha: Hash = '0xa1'
const beta: Hash = '0xb2'
const start = Date.UTC(2026, 10, 16, 12)

/** A log with its printed lines. */
function openLog({
  isJson = false,
  isOurs,
}: {
  isJson?: boolean
  isOurs?: (event: StoredEvent) => boolean
} = {}) {
  let text = ''
  let at = start
  const stdout = { write: (part: string) => (text += part) }
  const terminal = createTerminal({ stdin: {}, stdout, stderr: stdout, env: {}, isJson })
  const log = createActivityLog({
    terminal,
    findName: async (golem) => (golem === alpha ? 'alpha' : 'be\u001bta'),
    now: () => at,
    ...(isOurs && { isOurs }),
  })
  return {
    log,
    pass: (seconds: number) => {
      at += seconds * 1_000
    },
    tell: (golem: Hash, name: string, body: unknown = {}) =>
      log.event({ sequence: 1, golem, number: 1, name, body, at, hash: '0x00' }),
    lines: () => text.split('\n').slice(0, -1),
  }
}
const observing = (reason: string) => ({ reason, attempts: 1, retryAt: 0 })

it('prints one line per outcome with an ISO time, and a wait only when its reason changes', async () => {
  const { tell, lines } = openLog()
  await tell(alpha, 'action.waited', { because: 'it comes too soon' })
  await tell(alpha, 'heartbeat.ticked', { tick: 1 })
  await tell(alpha, 'action.waited', { because: 'it comes too soon' })
  await tell(beta, 'action.waited', { because: `\u001b[31m${'x'.repeat(500)}` })
  await tell(alpha, 'action.landed', { spentCents: 200n, transaction: '0xabc' })
  await tell(alpha, 'action.waited', { because: 'it comes too soon' })
  await tell(alpha, 'DeathProtocolStarted', { trigger: 'killSwitch' })
  await tell(alpha, 'owner.requestFiled', { kind: 'missedTicks', request: 'r' })
  expect(lines()).toEqual([
    '2026-11-16T12:00:00.000Z  alpha waits: it comes too soon',
    `2026-11-16T12:00:00.000Z  be?ta waits: ?[31m${'x'.repeat(195)}`,
    '2026-11-16T12:00:00.000Z  alpha completed an action ($2.00 spent): 0xabc',
    '2026-11-16T12:00:00.000Z  alpha waits: it comes too soon',
    '2026-11-16T12:00:00.000Z  alpha is dying: its owner ended it.',
    '2026-11-16T12:00:00.000Z  alpha asks its owner (missedTicks): bardo requests r yes',
  ])
})

it('prints one outage of the node for all Golems, and its end', async () => {
  const { tell, pass, lines } = openLog()
  const failure = { code: 'RPC_UNAVAILABLE', message: 'The node does not answer.' }
  for (const golem of [alpha, beta]) {
    await tell(golem, 'heartbeat.stepFailed', { step: 'sense', failure })
    await tell(golem, 'recovery.observing', observing('rpcOutage'))
  }
  pass(42)
  await tell(alpha, 'recovery.acting', { after: 'rpcOutage' })
  await tell(beta, 'recovery.acting', { after: 'rpcOutage' })
  await tell(beta, 'recovery.observing', observing('gasGone'))
  expect(lines()).toEqual([
    '2026-11-16T12:00:00.000Z  The RPC node does not answer. Golems are in observe-only mode until it does.',
    '2026-11-16T12:00:42.000Z  The RPC node answers again. The outage lasted 42 s.',
    '2026-11-16T12:00:42.000Z  be?ta is in observe-only mode: its session key has too little ETH for gas.',
  ])
})

it('prints one outage of the database, its end, and no secret from a foreign error', () => {
  const { log, pass, lines } = openLog({ isJson: true })
  const away = new BardoError('The database does not answer.', { code: 'STORE_UNAVAILABLE' })
  log.databaseAnswers()
  for (const golem of [undefined, alpha]) log.error(away, golem)
  pass(21)
  log.databaseAnswers()
  log.databaseAnswers()
  log.error(new TypeError('https://user:s3cret@node.example failed'), alpha)
  log.error(new TypeError('https://user:s3cret@node.example failed again'), alpha)
  log.stopping([alpha], 5_000)
  expect(lines().map((line) => JSON.parse(line))).toEqual([
    { type: 'outage', of: 'database', state: 'begins', at: start },
    { type: 'outage', of: 'database', state: 'ends', at: start + 21_000, seconds: 21 },
    { type: 'error', at: start + 21_000, golem: alpha, error: { code: 'INTERNAL', details: ['TypeError'] } },
    { type: 'stopping', golems: [alpha], stopMs: 5_000 },
  ])
})

it('does not print the events of other workers’ ticks', async () => {
  const { tell, lines } = openLog({ isOurs: ({ golem }) => golem === alpha })
  await tell(beta, 'action.landed', { spentCents: 200n, transaction: '0xabc' })
  await tell(alpha, 'DeathCompleted', { lifetimeTicks: 3 })
  expect(lines()).toEqual(['2026-11-16T12:00:00.000Z  alpha is dead after 3 ticks.'])
})
