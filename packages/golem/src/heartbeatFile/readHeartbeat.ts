import { BardoError } from '@bardo/core'
import { type CheckName, checkNames, defaultSchedule, type HeartbeatSchedule } from './heartbeatSchedule.ts'

/** A bigger file is no schedule. Origin: ours. */
const mostChars = 65_536
/** The bounds of any interval: a second and a day. Origin: ours. */
const leastSeconds = 1
const mostSeconds = 86_400
/** Nothing that is meant here is longer. Origin: ours. */
const longestLine = 200
const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 }

type Draft = { -readonly [Key in keyof HeartbeatSchedule]: HeartbeatSchedule[Key] }
/** Puts a value into the draft; returns what is wrong with it. */
type Setting = (draft: Draft, value: string) => string | undefined

const settings: Readonly<Record<string, Setting>> = {
  interval: seconds('intervalSeconds'),
  fastest: seconds('fastestSeconds'),
  slowest: seconds('slowestSeconds'),
  'quiet hours': quietHours,
  dream,
  reserve,
}

/**
 * HEARTBEAT.md as a schedule. What counts are the lines under "Schedule" and "Checks"; the rest is for people.
 *
 * @example
 * readHeartbeat('## Schedule\n- interval: 10 minutes\n- quiet hours: 22:00-06:00').intervalSeconds // 600
 */
export function readHeartbeat(text: string): HeartbeatSchedule {
  const problems: string[] = []
  const draft: Draft = { ...defaultSchedule }
  const checks: CheckName[] = []
  if (text.length > mostChars) problems.push(`longer than ${mostChars} characters`)
  else readLines(text, draft, checks, problems)
  if (checks.length > 0) draft.checks = checks
  const { fastestSeconds, intervalSeconds, slowestSeconds } = draft
  if (problems.length === 0 && !(fastestSeconds <= intervalSeconds && intervalSeconds <= slowestSeconds))
    problems.push(
      `fastest ≤ interval ≤ slowest has to hold: ${fastestSeconds} s, ${intervalSeconds} s, ${slowestSeconds} s`,
    )
  if (problems.length === 0) return draft
  throw new BardoError('HEARTBEAT.md cannot be used.', {
    code: 'CONFIG_INVALID',
    details: problems,
    remedy: 'Put these lines right; nothing was started.',
    docsPath: 'golem.md#heartbeatmd',
  })
}

function readLines(text: string, draft: Draft, checks: CheckName[], problems: string[]): void {
  let section = ''
  let sections = 0
  text.split('\n').forEach((raw, index) => {
    const heading = raw.match(/^#+(.*)$/)?.[1]?.trim()
    if (heading !== undefined) {
      section = heading.toLowerCase()
      if (section === 'schedule' || section === 'checks') sections += 1
      return
    }
    const line = raw.replace(/^\s*[-*]\s*/, '').trim()
    if (line === '') return
    const isOurs = section === 'schedule' || section === 'checks'
    if (isOurs && line.length > longestLine) problems.push(`line ${index + 1}: too long`)
    if (line.length > longestLine) return
    const wrong =
      section === 'schedule' ? setting(line, draft) : section === 'checks' ? check(line, checks) : undefined
    if (wrong) problems.push(`line ${index + 1}: ${wrong}`)
  })
  if (sections === 0 && text.trim() !== '') problems.push('there is no heading "Schedule" or "Checks"')
}

function setting(line: string, draft: Draft): string | undefined {
  const colon = line.indexOf(':')
  const name = line.slice(0, colon).trim().toLowerCase()
  const set = colon > 0 && Object.hasOwn(settings, name) ? settings[name] : undefined
  if (!set) return `no setting; there are: ${Object.keys(settings).join(', ')}`
  return set(draft, line.slice(colon + 1).trim())
}

function check(line: string, checks: CheckName[]): string | undefined {
  const name = checkNames.find((known) => known === line.toLowerCase())
  if (!name) return `no check; there are: ${checkNames.join(', ')}`
  if (!checks.includes(name)) checks.push(name)
  return undefined
}

function seconds(key: 'intervalSeconds' | 'fastestSeconds' | 'slowestSeconds'): Setting {
  return (draft, value) => {
    const length = duration(value)
    if (length === undefined || length < leastSeconds || length > mostSeconds)
      return 'a time from 1 second to 24 hours is needed, such as "5 minutes"'
    draft[key] = length
    return undefined
  }
}

function quietHours(draft: Draft, value: string): string | undefined {
  const [, from, to] = value.match(/^(\d\d:\d\d)\s*[-–]\s*(\d\d:\d\d)(?:\s*UTC)?$/i) ?? []
  const [start, end] = [minuteOf(from), minuteOf(to)]
  if (start === undefined || end === undefined || start === end)
    return 'two times of the day in UTC are needed, such as "22:00-06:00"'
  draft.quietHours = [...draft.quietHours, { from: start, to: end }]
  return undefined
}

function dream(draft: Draft, value: string): string | undefined {
  const [, every = '', length = ''] = value.match(/^every\s+(.+?)\s+for\s+(.+)$/i) ?? []
  const [everySeconds, lengthSeconds] = [duration(every), duration(length)]
  if (!everySeconds || !lengthSeconds || lengthSeconds * 2 > everySeconds)
    return 'a rhythm is needed, such as "every 24 hours for 20 minutes", with at least half of the time awake'
  draft.dream = { everySeconds, lengthSeconds }
  return undefined
}

function reserve(draft: Draft, value: string): string | undefined {
  const [, dollars, cents = ''] = value.match(/^\$(\d{1,12})(?:\.(\d{1,2}))?$/) ?? []
  if (dollars === undefined) return 'an amount in dollars is needed, such as "$200"'
  draft.reserveCents = BigInt(dollars) * 100n + BigInt(cents.padEnd(2, '0'))
  return undefined
}

/** `90 s`, `5 minutes`, `1h`: seconds, or undefined. */
function duration(text: string): number | undefined {
  const [, many, unit = ''] = text.match(/^(\d{1,6})\s*(s|seconds?|m|min|minutes?|h|hours?|d|days?)$/i) ?? []
  const size = units[unit.charAt(0).toLowerCase()]
  return many === undefined || size === undefined ? undefined : Number(many) * size
}

function minuteOf(time: string | undefined): number | undefined {
  const [hours = 99, minutes = 99] = (time ?? '').split(':').map(Number)
  return hours < 24 && minutes < 60 ? hours * 60 + minutes : undefined
}
