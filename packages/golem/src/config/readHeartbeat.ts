import { BardoError } from '@bardo/core'
import { defaultSchedule, type HeartbeatSchedule } from './heartbeatSchedule.ts'

/** The maximum length of the file. */
const mostChars = 65_536
/** The limits of every interval: one second and one day. */
const leastSeconds = 1
const mostSeconds = 86_400
/** The maximum length of a line. No valid setting is longer. */
const longestLine = 200
const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 }

type Draft = { -readonly [Key in keyof HeartbeatSchedule]: HeartbeatSchedule[Key] }
/** Sets a value in the draft; returns what is wrong with it. */
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
 * Reads HEARTBEAT.md as a schedule. Only the lines under "Schedule" count; the rest is for people. A section
 * "Checks", which release 0.1 read without effect, is refused, except in the file of an existing Golem.
 *
 * @example
 * readHeartbeat('## Schedule\n- interval: 10 minutes\n- quiet hours: 22:00-06:00').intervalSeconds // 600
 */
export function readHeartbeat(
  text: string,
  { isStored = false }: { readonly isStored?: boolean } = {},
): HeartbeatSchedule {
  const problems: string[] = []
  const draft: Draft = { ...defaultSchedule }
  if (text.length > mostChars) problems.push(`longer than ${mostChars} characters`)
  else readLines(text, draft, isStored, problems)
  const { fastestSeconds, intervalSeconds, slowestSeconds } = draft
  if (problems.length === 0 && !(fastestSeconds <= intervalSeconds && intervalSeconds <= slowestSeconds))
    problems.push(
      `fastest ≤ interval ≤ slowest must hold, but they are ${fastestSeconds} s, ${intervalSeconds} s, ${slowestSeconds} s`,
    )
  if (problems.length === 0) return draft
  throw new BardoError('HEARTBEAT.md is invalid.', {
    code: 'CONFIG_INVALID',
    details: problems,
    remedy: 'Correct these lines and start again. Nothing was started.',
    docsPath: 'golem.md#heartbeatmd',
  })
}

function readLines(text: string, draft: Draft, isStored: boolean, problems: string[]): void {
  let section = ''
  let sections = 0
  text.split('\n').forEach((raw, index) => {
    const heading = raw.match(/^#+(.*)$/)?.[1]?.trim()
    if (heading !== undefined) {
      section = heading.toLowerCase()
      if (section === 'schedule' || section === 'checks') sections += 1
      if (section === 'checks' && !isStored)
        problems.push(`line ${index + 1}: "Checks" has no effect; remove it: every tick does all checks`)
      return
    }
    const line = raw.replace(/^\s*[-*]\s*/, '').trim()
    if (line === '') return
    if (section !== 'schedule') return
    const wrong = line.length > longestLine ? `longer than ${longestLine} characters` : setting(line, draft)
    if (wrong) problems.push(`line ${index + 1}: ${wrong}`)
  })
  if (sections === 0 && text.trim() !== '') problems.push('it has no heading "Schedule"')
}

function setting(line: string, draft: Draft): string | undefined {
  const colon = line.indexOf(':')
  const name = line.slice(0, colon).trim().toLowerCase()
  const set = colon > 0 && Object.hasOwn(settings, name) ? settings[name] : undefined
  if (!set) return `not a setting; the settings are: ${Object.keys(settings).join(', ')}`
  return set(draft, line.slice(colon + 1).trim())
}

function seconds(key: 'intervalSeconds' | 'fastestSeconds' | 'slowestSeconds'): Setting {
  return (draft, value) => {
    const length = duration(value)
    if (length === undefined || length < leastSeconds || length > mostSeconds)
      return 'must be a time from 1 second to 24 hours, such as "5 minutes"'
    draft[key] = length
    return undefined
  }
}

function quietHours(draft: Draft, value: string): string | undefined {
  const [, from, to] = value.match(/^(\d\d:\d\d)\s*[-–]\s*(\d\d:\d\d)(?:\s*UTC)?$/i) ?? []
  const [start, end] = [minuteOf(from), minuteOf(to)]
  if (start === undefined || end === undefined || start === end)
    return 'must be two times of day in UTC, such as "22:00-06:00"'
  draft.quietHours = [...draft.quietHours, { from: start, to: end }]
  return undefined
}

function dream(draft: Draft, value: string): string | undefined {
  const [, every = '', length = ''] = value.match(/^every\s+(.+?)\s+for\s+(.+)$/i) ?? []
  const [everySeconds, lengthSeconds] = [duration(every), duration(length)]
  if (!everySeconds || !lengthSeconds || lengthSeconds * 2 > everySeconds)
    return 'must be an interval and a length, such as "every 24 hours for 20 minutes"; the length is at most half of the interval'
  draft.dream = { everySeconds, lengthSeconds }
  return undefined
}

function reserve(draft: Draft, value: string): string | undefined {
  const [, dollars, cents = ''] = value.match(/^\$(\d{1,12})(?:\.(\d{1,2}))?$/) ?? []
  if (dollars === undefined) return 'must be an amount in dollars, such as "$200"'
  draft.reserveCents = BigInt(dollars) * 100n + BigInt(cents.padEnd(2, '0'))
  return undefined
}

/** Parses `90 s`, `5 minutes` or `1h` to seconds. */
function duration(text: string): number | undefined {
  const [, count, unit = ''] = text.match(/^(\d{1,6})\s*(s|seconds?|m|min|minutes?|h|hours?|d|days?)$/i) ?? []
  const size = units[unit.charAt(0).toLowerCase()]
  return count === undefined || size === undefined ? undefined : Number(count) * size
}

function minuteOf(time: string | undefined): number | undefined {
  const [hours = 99, minutes = 99] = (time ?? '').split(':').map(Number)
  return hours < 24 && minutes < 60 ? hours * 60 + minutes : undefined
}
