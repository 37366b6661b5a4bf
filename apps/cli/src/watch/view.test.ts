import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sampleGolem, sampleId } from '../testing/sampleGolems.ts'
import { widthOf } from './cells.ts'
import { gauge, sparkline } from './gauge.ts'
import { ascii, type Glyphs, unicode } from './glyphs.ts'
import { handleKey } from './handleKey.ts'
import { reduceEvent, type WatchChange } from './reduceEvent.ts'
import { viewOf } from './view.ts'
import { nothingYet, type WatchState } from './watchState.ts'

const now = Date.UTC(2026, 0, 2, 3, 4, 5)
const live: WatchChange = { type: 'link', link: { type: 'live' } }

function stateOf(...happenings: readonly WatchChange[]): WatchState {
  return happenings.reduce(reduceEvent, nothingYet)
}

function listed(
  names: readonly string[],
  command: Partial<Parameters<typeof sampleGolem>[0]> = {},
): WatchState {
  const samples = names.map((name) => sampleGolem({ name, ...command }, now))
  return stateOf(
    live,
    { type: 'listed', golems: samples.map(({ row }) => row), head: 0, isNewWorld: false },
    ...samples.slice(0, 50).map(({ status }) => ({ type: 'seen' as const, at: now, status })),
  )
}

function screen(state: WatchState, columns = 80, rows = 24, glyphs: Glyphs = unicode): readonly string[] {
  return viewOf(state, { size: { columns, rows }, now, glyphs }).map((line) =>
    line.map(({ text }) => text).join(''),
  )
}

const key = (text: string) => ({ type: 'text', text }) as const

describe('the screen', () => {
  it('shows phase, vitality, expiry, today, permission and next tick of each Golem', () => {
    const shown = screen(listed(['Alpha DCA', 'beta']), 120, 40)
    const row = shown.find((line) => line.includes('▸ Alpha DCA'))
    for (const part of ['● alive', 'thriving', '100', '29 d', '$12 of $500', 'healthy', '9 s'])
      expect(row).toContain(part)
    expect(shown.join('\n')).toContain('all 7 checks pass')
    expect(shown[0]).toContain('2 Golems, 2 alive')
  })

  it('shows a position that the Golem no longer manages', () => {
    const position = { id: 'vault-USDC', kind: 'vault', contract: '0x90bb', symbol: 'USDC' } as const
    const held = {
      ...position,
      shares: '50000000',
      cents: '5000',
      managed: 'before',
      liquidity: null,
    } as const
    const shown = screen(listed(['beta'], { positions: [held] }))
    expect(shown.join('\n')).toContain('$50.00 in the USDC vault, no longer managed by beta')
  })

  it('shows how and when a dead or revoked Golem ended, and no vitality, expiry or limit', () => {
    const dead = screen(listed(['gone'], { status: 'dead' }), 120, 40)
    const { status, row } = sampleGolem({ name: 'stopped' }, now)
    const ended = { because: 'ownerRevocation', at: now / 1_000 - 60 } as const
    const revoked = screen(
      stateOf(
        live,
        { type: 'listed', golems: [row], head: 0, isNewWorld: false },
        { type: 'seen', at: now, status: { ...status, survivalScore: 0, day: null, ended } },
      ),
      120,
      40,
    )
    expect(dead.join('\n')).toContain('2026-01-02 02:04 UTC: its owner ended it')
    expect(revoked.join('\n')).toContain('2026-01-02 03:03 UTC: its owner revoked')
    expect(revoked.find((line) => line.includes('▸ stopped'))).toContain('● revoked')
    for (const shown of [dead, revoked]) {
      expect(shown.join('\n')).not.toMatch(/ of 100|29 d|\$12 of \$500|█/)
      expect(shown.join('\n')).not.toContain('thriving')
    }
  })

  it('warns before feeding that the children end', () => {
    const { status, row } = sampleGolem({ name: 'Alpha DCA' }, now)
    const children = [{ golem: sampleId('gamma'), name: 'gamma' }]
    const state = stateOf(
      live,
      { type: 'listed', golems: [row], head: 0, isNewWorld: false },
      { type: 'seen', at: now, status: { ...status, children } },
    )
    expect(screen(handleKey(state, key('f'), 10).state).join('\n')).toContain('Its child ends.')
  })

  it('fills every window exactly, for any names and sentences', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
    fc.assert(
      fc.property(
        fc.array(text, { maxLength: 12 }),
        fc.array(text, { maxLength: 8 }),
        fc.integer({ min: 1, max: 180 }),
        fc.integer({ min: 1, max: 60 }),
        fc.constantFrom('', '?', 'f', 'a', 'K'),
        fc.constantFrom(unicode, ascii),
        (names, reasons, columns, rows, pressed, glyphs) => {
          const base = reasons.reduce(
            (state, reason, index) =>
              reduceEvent(state, {
                type: 'event',
                event: {
                  sequence: index + 1,
                  at: now,
                  golem: sampleId(names[0] ?? ''),
                  name: 'recovery.observing',
                  body: { reason },
                },
              }),
            listed(names),
          )
          const { state } = handleKey(base, key(pressed), 3)
          const lines = screen(state, columns, rows, glyphs)
          expect(lines).toHaveLength(rows)
          for (const line of lines) expect(widthOf(line)).toBe(columns)
        },
      ),
      { numRuns: 150 },
    )
  })

  it('removes control characters from names and reasons', () => {
    const name = 'Evil\u001b[2J\u202eomega\r\nnext'
    const state = reduceEvent(listed([name]), {
      type: 'event',
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
    expect(text).toMatch(/is in observe-only mode: \?\]0;title\?gone/)
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  })

  it('uses only ASCII on an ASCII terminal', () => {
    const state = listed(['Älpha', '日本'])
    for (const columns of [80, 120])
      for (const line of screen(state, columns, 30, ascii)) expect(line).toMatch(/^[\x20-\x7e]*$/)
    expect(screen(state, 80, 24, ascii).join('\n')).toContain('> ')
  })

  it('draws one page of ten thousand Golems', () => {
    const names = Array.from({ length: 10_000 }, (_, at) => `g${`${at}`.padStart(5, '0')}`)
    const state = listed(names)
    const first = screen(state, 120, 40)
    expect(first.join('\n')).toContain('Golems 1–15 of 10,000')
    const paged = handleKey(state, { type: 'pageDown' }, 15).state
    expect(screen(paged, 120, 40).join('\n')).toContain('Golems 16–30 of 10,000')
    expect(screen(paged, 120, 40).join('\n')).toContain('▸ g00015')
    const last = handleKey(state, { type: 'end' }, 15).state
    expect(screen(last, 120, 40).join('\n')).toContain('▸ g09999')
    expect(handleKey(last, { type: 'down' }, 15).state.chosen).toBe(last.chosen)
  })

  it('explains an empty list, a missing process and a small window', () => {
    expect(screen(listed([])).join('\n')).toContain('bardo summon STRATEGY.md')
    const alone = stateOf({
      type: 'link',
      link: { type: 'waiting', because: 'No Bardo process is running for this data folder.' },
    })
    expect(screen(alone).join('\n')).toMatch(
      /No Bardo process is running for this data folder\.[\s\S]*bardo up/,
    )
    expect(screen(listed(['a']), 59, 24).join('\n')).toContain('Make the window larger')
    expect(screen(listed(['a']), 60, 16).join('\n')).not.toContain('Make the window larger')
  })

  it('keeps the last data when the connection is lost, and reports it', () => {
    const state = reduceEvent(listed(['Alpha DCA']), {
      type: 'link',
      link: { type: 'waiting', because: 'Connection lost.' },
    })
    const text = screen(state).join('\n')
    expect(text).toContain('● reconnecting')
    expect(text).toContain('Alpha DCA')
    expect(text).toContain('Connection lost.')
  })

  it('shows the changes of a strategy before it is signed', () => {
    const state = reduceEvent(listed(['Alpha DCA']), {
      type: 'compiled',
      golem: sampleId('Alpha DCA'),
      strategy: 's',
      changes: ['wider     in any 24 hours: $500.00 → $900.00'],
    })
    const text = screen(state).join('\n')
    expect(text).toContain('Changes for Alpha DCA')
    expect(text).toContain('$500.00 → $900.00')
    expect(text).toContain('Sign this and revoke the current delegation?')
  })
})

describe('bars', () => {
  it('show any share above 0, and are full only at 1', () => {
    expect(gauge(0, 4, ascii)).toBe('....')
    expect(gauge(0.001, 4, ascii)).toBe('#...')
    expect(gauge(0.999, 4, ascii)).toBe('###.')
    expect(gauge(1, 4, ascii)).toBe('####')
    expect(gauge(7, 4, ascii)).toBe('####')
    expect(gauge(Number.NaN, 4, ascii)).toBe('....')
  })

  it('show the whole history, the newest at the right', () => {
    expect(sparkline([0, 50, 100], 5, unicode)).toBe('  ▁▅█')
    expect(sparkline([100, 0, 50, 0, 0], 3, unicode)).toBe('█▅▁')
    expect(sparkline([100, 0], 1, unicode)).toBe('▁')
    expect(sparkline([], 2, unicode)).toBe('  ')
  })
})
