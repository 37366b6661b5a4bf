import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sampleGolem, sampleId } from '../testing/sampleGolems.ts'
import { widthOf } from './cells.ts'
import { gauge, sparkline } from './gauge.ts'
import { ascii, drawn, type Glyphs } from './glyphs.ts'
import { type Happening, happen } from './happen.ts'
import { press } from './press.ts'
import { viewOf } from './view.ts'
import { nothingYet, type WatchState } from './watchState.ts'

const now = Date.UTC(2026, 0, 2, 3, 4, 5)
const live: Happening = { is: 'link', link: { is: 'live' } }

function stateOf(...happenings: readonly Happening[]): WatchState {
  return happenings.reduce(happen, nothingYet)
}

function listed(names: readonly string[], wish: Partial<Parameters<typeof sampleGolem>[0]> = {}): WatchState {
  const samples = names.map((name) => sampleGolem({ name, ...wish }, now))
  return stateOf(
    live,
    { is: 'listed', golems: samples.map(({ row }) => row), head: 0, isNewWorld: false },
    ...samples.slice(0, 50).map(({ status }) => ({ is: 'seen' as const, at: now, status })),
  )
}

function screen(state: WatchState, columns = 80, rows = 24, glyphs: Glyphs = drawn): readonly string[] {
  return viewOf(state, { size: { columns, rows }, now, glyphs }).map((line) =>
    line.map(({ text }) => text).join(''),
  )
}

const key = (text: string) => ({ is: 'text', text }) as const

describe('the screen of a state', () => {
  it('shows of each Golem phase, vitality, runway, today, permission and the next tick', () => {
    const shown = screen(listed(['Alpha DCA', 'beta']), 120, 40)
    const row = shown.find((line) => line.includes('▸ Alpha DCA'))
    for (const part of ['● alive', 'thriving', '100', '29 d', '$12 of $500', 'healthy', '9 s'])
      expect(row).toContain(part)
    expect(shown.join('\n')).toContain('all 7 checks pass')
    expect(shown[0]).toContain('2 Golems, 2 living')
  })

  it('fills every window exactly, whatever names and sentences are in it', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
    fc.assert(
      fc.property(
        fc.array(text, { maxLength: 12 }),
        fc.array(text, { maxLength: 8 }),
        fc.integer({ min: 1, max: 180 }),
        fc.integer({ min: 1, max: 60 }),
        fc.constantFrom('', '?', 'f', 'a', 'K'),
        fc.constantFrom(drawn, ascii),
        (names, reasons, columns, rows, pressed, glyphs) => {
          const base = reasons.reduce(
            (state, reason, place) =>
              happen(state, {
                is: 'event',
                event: {
                  sequence: place + 1,
                  at: now,
                  golem: sampleId(names[0] ?? ''),
                  name: 'recovery.observing',
                  body: { reason },
                },
              }),
            listed(names),
          )
          const { state } = press(base, key(pressed), 3)
          const lines = screen(state, columns, rows, glyphs)
          expect(lines).toHaveLength(rows)
          for (const line of lines) expect(widthOf(line)).toBe(columns)
        },
      ),
      { numRuns: 150 },
    )
  })

  it('lets no name or reason move the cursor', () => {
    const name = 'Evil\u001b[2J\u202eomega\r\nnext'
    const state = happen(listed([name]), {
      is: 'event',
      event: {
        sequence: 1,
        at: now,
        golem: sampleId(name),
        name: 'recovery.observing',
        body: { reason: '\u001b]0;title\u0007gone' },
      },
    })
    const text = screen(state).join('\n')
    expect(text).toContain('Evil?[2J?omega next')
    expect(text).toMatch(/only looks on: \?\]0;title\?gone/)
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  })

  it('has only the oldest letters where there are no others', () => {
    const state = listed(['Älpha', '日本'])
    for (const columns of [80, 120])
      for (const line of screen(state, columns, 30, ascii)) expect(line).toMatch(/^[\x20-\x7e]*$/)
    expect(screen(state, 80, 24, ascii).join('\n')).toContain('> ')
  })

  it('draws of ten thousand only what fits, and pages', () => {
    const names = Array.from({ length: 10_000 }, (_, at) => `g${`${at}`.padStart(5, '0')}`)
    const state = listed(names)
    const first = screen(state, 120, 40)
    expect(first.join('\n')).toContain('Golems 1–15 of 10,000')
    const paged = press(state, { is: 'pageDown' }, 15).state
    expect(screen(paged, 120, 40).join('\n')).toContain('Golems 16–30 of 10,000')
    expect(screen(paged, 120, 40).join('\n')).toContain('▸ g00015')
    const last = press(state, { is: 'end' }, 15).state
    expect(screen(last, 120, 40).join('\n')).toContain('▸ g09999')
    expect(press(last, { is: 'down' }, 15).state.chosen).toBe(last.chosen)
  })

  it('says how to summon one, how to start a world, and that the window is too small', () => {
    expect(screen(listed([])).join('\n')).toContain('bardo summon STRATEGY.md')
    const alone = stateOf({ is: 'link', link: { is: 'waiting', because: 'Nobody has this folder open.' } })
    expect(screen(alone).join('\n')).toMatch(/Nobody has this folder open\.[\s\S]*bardo up/)
    expect(screen(listed(['a']), 59, 24).join('\n')).toContain('Make the window larger')
    expect(screen(listed(['a']), 60, 16).join('\n')).not.toContain('Make the window larger')
  })

  it('keeps what was there when the connection is lost, and says so', () => {
    const state = happen(listed(['Alpha DCA']), {
      is: 'link',
      link: { is: 'waiting', because: 'The connection is lost.' },
    })
    const text = screen(state).join('\n')
    expect(text).toContain('● trying again')
    expect(text).toContain('Alpha DCA')
    expect(text).toContain('The connection is lost.')
  })

  it('shows what a strategy would change before it is signed', () => {
    const state = happen(listed(['Alpha DCA']), {
      is: 'compiled',
      golem: sampleId('Alpha DCA'),
      strategy: 's',
      changes: ['wider     in any 24 hours: $500.00 → $900.00'],
    })
    const text = screen(state).join('\n')
    expect(text).toContain('What would change for Alpha DCA')
    expect(text).toContain('$500.00 → $900.00')
    expect(text).toContain('Sign this instead of what it has?')
  })
})

describe('bars', () => {
  it('show whatever is there, and are full only when all is', () => {
    expect(gauge(0, 4, ascii)).toBe('....')
    expect(gauge(0.001, 4, ascii)).toBe('#...')
    expect(gauge(0.999, 4, ascii)).toBe('###.')
    expect(gauge(1, 4, ascii)).toBe('####')
    expect(gauge(7, 4, ascii)).toBe('####')
    expect(gauge(Number.NaN, 4, ascii)).toBe('....')
  })

  it('show all of the time, the newest to the right', () => {
    expect(sparkline([0, 50, 100], 5, drawn)).toBe('  ▁▅█')
    expect(sparkline([100, 0, 50, 0, 0], 3, drawn)).toBe('█▅▁')
    expect(sparkline([100, 0], 1, drawn)).toBe('▁')
    expect(sparkline([], 2, drawn)).toBe('  ')
  })
})
