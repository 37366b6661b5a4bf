import { describe, expect, it } from 'vitest'
import { sampleGolem, sampleId } from '../testing/sampleGolems.ts'
import { type Happening, happen } from './happen.ts'
import { changesOf, linesOf, notesOf } from './runPlain.ts'
import { nothingYet, type WatchState } from './watchState.ts'

const alpha = sampleGolem({ name: 'Alpha', vitality: [90] }, 0)
const listed: Happening = { is: 'listed', golems: [alpha.row], head: 10, isNewWorld: false }
const event = (sequence: number, name: string, body: unknown): Happening => ({
  is: 'event',
  event: { sequence, at: 0, golem: alpha.row.id, name, body },
})
const after = (...happenings: readonly Happening[]) => happenings.reduce(happen, nothingYet)
const only = ({ golems: [golem] }: WatchState) => golem

describe('what happens', () => {
  it('draws a history of vitality: what was published before, then a value for each tick', () => {
    const state = after(
      listed,
      event(8, 'vitals.published', { survivalScore: 9_900 }),
      event(9, 'vitals.published', { survivalScore: 9_500 }),
      event(10, 'heartbeat.ticked', { tick: 1, nextTickAt: 7 }),
      { is: 'refreshed', golems: [alpha.row] },
      { is: 'refreshed', golems: [alpha.row] },
    )
    expect(only(state)?.history).toEqual([99, 95, 90])
  })

  it('takes what was listed for newer than the events before it', () => {
    const old = [
      event(9, 'DeathProtocolStarted', { trigger: 'x' }),
      event(10, 'vitals.phaseChanged', { to: 'terminal' }),
    ]
    expect(only(after(listed, ...old))).toMatchObject({
      status: 'alive',
      phase: 'thriving',
      survivalScore: 9_000,
    })
    const now = [
      event(11, 'heartbeat.ticked', { nextTickAt: 77 }),
      event(12, 'vitals.phaseChanged', { to: 'stable' }),
      event(13, 'permission.health', { health: 'low' }),
      event(14, 'vitals.phaseChanged', { to: 'nonsense' }),
    ]
    expect(only(after(listed, ...now))).toMatchObject({ nextTick: 77_000, phase: 'stable', health: 'low' })
    expect(only(after(listed, event(11, 'DeathCompleted', {})))).toMatchObject({
      status: 'dead',
      nextTick: null,
    })
  })

  it('keeps who is chosen, and forgets another world', () => {
    const beta = sampleGolem({ name: 'Beta' }, 0).row
    const chosen = { ...after(listed, event(11, 'dream.began', {})), chosen: alpha.row.id }
    const more = happen(chosen, { is: 'refreshed', golems: [beta] })
    expect(more.chosen).toBe(alpha.row.id)
    expect(more.golems.map(({ name }) => name)).toEqual(['Alpha', 'Beta'])
    const anew = happen(more, { is: 'listed', golems: [beta], head: 1, isNewWorld: true })
    expect(anew).toMatchObject({ chosen: sampleId('Beta'), news: [] })
  })
})

describe('lines', () => {
  const step = (state: WatchState, happening: Happening, golem?: string) => {
    const next = happen(state, happening)
    return {
      next,
      notes: notesOf(state, next),
      lines: linesOf(state, next, happening, golem),
      json: changesOf(state, next, happening, golem),
    }
  }

  it('tell each change once', () => {
    const first = step(nothingYet, listed)
    expect(first.lines).toEqual(['Alpha is alive and thriving, vitality 90 of 100, permission healthy.'])
    expect(step(first.next, listed).lines).toEqual([])
    expect(step(first.next, event(10, 'dream.began', {})).lines).toEqual([])
    expect(step(first.next, event(11, 'dream.began', {})).lines[0]).toMatch(/^\d\d:\d\d:\d\d Alpha dreams\.$/)
    expect(step(first.next, event(12, 'heartbeat.ticked', { nextTickAt: 1 })).lines).toEqual([])
    expect(step(first.next, event(11, 'dream.began', {}), sampleId('Beta')).lines).toEqual([])
  })

  it('say that the connection is lost once, and that it is back', () => {
    const lost: Happening = { is: 'link', link: { is: 'waiting', because: 'The connection is lost.' } }
    const first = step(after(listed), lost)
    expect(first.notes[0]).toMatch(/^The connection is lost\. Waiting .* bardo up/)
    expect(first.lines).toEqual([])
    expect(step(first.next, lost).notes).toEqual([])
    expect(step(first.next, lost).json).toEqual([])
    expect(step(first.next, { is: 'link', link: { is: 'live' } }).notes).toEqual(['Connected.'])
  })

  it('are states and events for programs', () => {
    const first = step(nothingYet, listed)
    expect(first.json).toEqual([{ is: 'golem', golem: alpha.row }])
    expect(step(first.next, event(11, 'heartbeat.ticked', { nextTickAt: 1 })).json).toMatchObject([
      { is: 'event', event: { sequence: 11, name: 'heartbeat.ticked' } },
    ])
    expect(step(first.next, event(10, 'heartbeat.ticked', {})).json).toEqual([])
  })

  it('say how to summon one where nobody lives', () => {
    expect(step(nothingYet, { ...listed, golems: [] }).lines[0]).toContain('bardo summon STRATEGY.md')
  })
})
