import { describe, expect, it } from 'vitest'
import { sampleGolem, sampleId } from '../testing/sampleGolems.ts'
import { reduceEvent, type WatchChange } from './reduceEvent.ts'
import { changesOf, linesOf, notesOf } from './runPlain.ts'
import { nothingYet, type WatchState } from './watchState.ts'

const alpha = sampleGolem({ name: 'Alpha', vitality: [90] }, 0)
const listed: WatchChange = { type: 'listed', golems: [alpha.row], head: 10, isNewWorld: false }
const event = (sequence: number, name: string, body: unknown): WatchChange => ({
  type: 'event',
  event: { sequence, at: 0, golem: alpha.row.id, name, body },
})
const after = (...happenings: readonly WatchChange[]) => happenings.reduce(reduceEvent, nothingYet)
const only = ({ golems: [golem] }: WatchState) => golem

describe('reduceEvent', () => {
  it('builds the vitality history from published values, then one value per tick', () => {
    const state = after(
      listed,
      event(8, 'vitals.published', { survivalScore: 9_900 }),
      event(9, 'vitals.published', { survivalScore: 9_500 }),
      event(10, 'heartbeat.ticked', { tick: 1, nextTickAt: 7 }),
      { type: 'refreshed', golems: [alpha.row] },
      { type: 'refreshed', golems: [alpha.row] },
    )
    expect(only(state)?.history).toEqual([99, 95, 90])
  })

  it('treats listed rows as newer than the events before the head', () => {
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

  it('keeps the selection, and clears everything for another chain', () => {
    const beta = sampleGolem({ name: 'Beta' }, 0).row
    const chosen = { ...after(listed, event(11, 'dream.began', {})), chosen: alpha.row.id }
    const more = reduceEvent(chosen, { type: 'refreshed', golems: [beta] })
    expect(more.chosen).toBe(alpha.row.id)
    expect(more.golems.map(({ name }) => name)).toEqual(['Alpha', 'Beta'])
    const another = reduceEvent(more, { type: 'listed', golems: [beta], head: 1, isNewWorld: true })
    expect(another).toMatchObject({ chosen: sampleId('Beta'), news: [] })
  })
})

describe('lines', () => {
  const step = (state: WatchState, happening: WatchChange, golem?: string) => {
    const next = reduceEvent(state, happening)
    return {
      next,
      notes: notesOf(state, next),
      lines: linesOf(state, next, happening, golem),
      json: changesOf(state, next, happening, golem),
    }
  }

  it('report each change once', () => {
    const first = step(nothingYet, listed)
    expect(first.lines).toEqual(['Alpha is alive and thriving, vitality 90 of 100, permission healthy.'])
    expect(step(first.next, listed).lines).toEqual([])
    expect(step(first.next, event(10, 'dream.began', {})).lines).toEqual([])
    expect(step(first.next, event(11, 'dream.began', {})).lines[0]).toMatch(
      /^\d\d:\d\d:\d\d Alpha started dreaming\.$/,
    )
    expect(step(first.next, event(12, 'heartbeat.ticked', { nextTickAt: 1 })).lines).toEqual([])
    expect(step(first.next, event(11, 'dream.began', {}), sampleId('Beta')).lines).toEqual([])
  })

  it('report a lost connection once, and that it is back', () => {
    const lost: WatchChange = { type: 'link', link: { type: 'waiting', because: 'Connection lost.' } }
    const first = step(after(listed), lost)
    expect(first.notes[0]).toMatch(/^Connection lost\. Waiting .* bardo up/)
    expect(first.lines).toEqual([])
    expect(step(first.next, lost).notes).toEqual([])
    expect(step(first.next, lost).json).toEqual([])
    expect(step(first.next, { type: 'link', link: { type: 'live' } }).notes).toEqual(['Connected.'])
  })

  it('are JSON states and events for programs', () => {
    const first = step(nothingYet, listed)
    expect(first.json).toEqual([{ type: 'golem', golem: alpha.row }])
    expect(step(first.next, event(11, 'heartbeat.ticked', { nextTickAt: 1 })).json).toMatchObject([
      { type: 'event', event: { sequence: 11, name: 'heartbeat.ticked' } },
    ])
    expect(step(first.next, event(10, 'heartbeat.ticked', {})).json).toEqual([])
  })

  it('name the summon command if there is no Golem', () => {
    expect(step(nothingYet, { ...listed, golems: [] }).lines[0]).toContain('bardo summon STRATEGY.md')
  })
})
