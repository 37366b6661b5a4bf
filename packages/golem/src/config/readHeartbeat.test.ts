import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BardoError } from '@bardo/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultSchedule, isQuiet } from './heartbeatSchedule.ts'
import { readHeartbeat } from './readHeartbeat.ts'

function problemsOf(text: string): readonly string[] {
  try {
    readHeartbeat(text)
  } catch (error) {
    if (error instanceof BardoError && error.code === 'CONFIG_INVALID') return error.details
    throw error
  }
  return []
}

describe('HEARTBEAT.md', () => {
  it('is read from its schedule; the rest is ignored', () => {
    const text = `# Alpha's heart

Note: interval: 3 seconds is what I wanted first.

## Schedule

- interval: 10 minutes
- fastest: 45 s
- slowest: 2h
- quiet hours: 22:00-06:00 UTC
- Quiet hours: 12:30–13:00
- dream: every 24 hours for 20 minutes
- reserve: $200.5

## Why
Because.`
    expect(readHeartbeat(text)).toEqual({
      intervalSeconds: 600,
      fastestSeconds: 45,
      slowestSeconds: 7_200,
      quietHours: [
        { from: 1_320, to: 360 },
        { from: 750, to: 780 },
      ],
      dream: { everySeconds: 86_400, lengthSeconds: 1_200 },
      reserveCents: 20_050n,
    })
  })

  it('is read from the example of docs/golem.md', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../../docs/golem.md'), 'utf8')
    const example = page.match(/```markdown\n([^`]*)```/)?.[1] ?? ''
    expect(readHeartbeat(example)).toMatchObject({ intervalSeconds: 300, reserveCents: 20_000n })
  })

  it('refuses checks in a new file, and ignores them in a stored one', () => {
    const text = '## Schedule\n- interval: 10 minutes\n## Checks\n- wallet'
    expect(problemsOf(text)).toEqual([
      'line 3: "Checks" has no effect; remove it: every tick does all checks',
    ])
    expect(readHeartbeat(text, { isStored: true }).intervalSeconds).toBe(600)
  })

  it('may be empty', () => {
    expect(readHeartbeat(' \n')).toEqual(defaultSchedule)
  })

  it('reports every invalid line', () => {
    const text = `## Schedule
- intervall: 5 minutes
- fastest: soon
- slowest: 900000 s
- quiet hours: 25:00-06:00
- dream: every 1 hour for 40 minutes
- reserve: 200
- __proto__: 5 s
## Checks
- wallet`
    expect(problemsOf(text).map((problem) => problem.split(':')[0])).toEqual(
      [2, 3, 4, 5, 6, 7, 8, 9].map((line) => `line ${line}`),
    )
    expect(problemsOf('interval: 5 minutes')).toEqual(['it has no heading "Schedule"'])
    expect(problemsOf('## Schedule\ninterval: 20 s')[0]).toContain('30 s, 20 s, 3600 s')
    expect(problemsOf('x'.repeat(70_000))).toHaveLength(1)
    expect(problemsOf(`## Schedule\ndream: every${' '.repeat(60_000)}x`)).toEqual([
      'line 2: longer than 200 characters',
    ])
  })

  it('results in a schedule or in one error for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        problemsOf(`## Schedule\n${text}\n## Checks\n${text}`)
      }),
    )
  })
})

describe('quiet hours', () => {
  const at = (hours: number, minutes = 0) =>
    1_800_000_000 - (1_800_000_000 % 86_400) + hours * 3_600 + minutes * 60

  it('include their first minute, exclude their last, and can extend past midnight', () => {
    const night = [{ from: 1_320, to: 360 }]
    expect(
      [at(21, 59), at(22), at(23, 59), at(0), at(5, 59), at(6)].map((now) => isQuiet(night, now)),
    ).toEqual([false, true, true, true, true, false])
    expect([at(12, 29), at(12, 30), at(13)].map((now) => isQuiet([{ from: 750, to: 780 }], now))).toEqual([
      false,
      true,
      false,
    ])
    expect(isQuiet([], at(3))).toBe(false)
  })
})
