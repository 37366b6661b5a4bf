import { describe, expect, it } from 'vitest'
import { sampleGolem, sampleId } from '../testing/sampleGolems.ts'
import { handleKey, type Key, type WatchCommand } from './handleKey.ts'
import { reduceEvent } from './reduceEvent.ts'
import { nothingYet, type WatchState } from './watchState.ts'

const golem = sampleId('Alpha DCA')
const rows = ['Alpha DCA', 'beta', 'gone'].map(
  (name) => sampleGolem({ name, status: name === 'gone' ? 'dead' : 'alive' }, 0).row,
)
const state = [
  { type: 'listed', golems: rows, head: 0, isNewWorld: false } as const,
  { type: 'link', link: { type: 'live' } } as const,
].reduce<WatchState>(reduceEvent, nothingYet)

function type(from: WatchState, ...keys: readonly (string | Key)[]) {
  let now = from
  const commands: WatchCommand[] = []
  for (const key of keys) {
    const pressed = handleKey(now, typeof key === 'string' ? { type: 'text', text: key } : key, 2)
    now = pressed.state
    if (pressed.command) commands.push(pressed.command)
  }
  return { state: now, commands }
}
const enter: Key = { type: 'enter' }

describe('keys', () => {
  it('select a Golem, and stop at the ends of the list', () => {
    expect(type(state, 'j').state.chosen).toBe(sampleId('beta'))
    expect(type(state, 'jjjjj').state.chosen).toBe(sampleId('gone'))
    expect(type(state, { type: 'end' }, { type: 'up' }, 'kkk').state.chosen).toBe(golem)
  })

  it.each([
    ['f', 'feed'],
    ['r', 'revoke'],
  ] as const)('%s asks for confirmation, and runs only after a yes', (letter, command) => {
    expect(type(state, letter).commands).toEqual([])
    expect(type(state, letter, 'y').commands).toEqual([{ type: command, golem }])
    for (const no of ['n', 'q', { type: 'escape' } as const]) {
      const { commands, state: after } = type(state, letter, no)
      expect(commands).toEqual([])
      expect(after.notice?.text).toBe('Cancelled. Nothing was done.')
    }
    expect(type(state, letter, enter, 'x', 'yy').commands).toEqual([])
  })

  it('kill a Golem only after its name is typed', () => {
    expect(type(state, 'K', 'Alpha DC', 'x', { type: 'backspace' }, 'A', enter).commands).toEqual([
      { type: 'kill', golem },
    ])
    const { commands, state: after } = type(state, 'K', 'alpha dca', enter)
    expect(commands).toEqual([])
    expect(after.notice?.text).toContain('the name does not match')
    expect(type(state, 'K', 'y', enter).commands).toEqual([])
    expect(type(state, 'k').commands).toEqual([])
  })

  it('adjust after a path, a list of changes and a yes', () => {
    expect(type(state, 'a', './S.md ', enter).commands).toEqual([{ type: 'compile', golem, path: './S.md' }])
    expect(type(state, 'a', ' ', enter).commands).toEqual([])
    const weighing = reduceEvent(state, { type: 'compiled', golem, strategy: 'text', changes: [] })
    expect(type(weighing, 'y').commands).toEqual([{ type: 'adjust', golem, strategy: 'text' }])
    expect(type(weighing, 'n').commands).toEqual([])
  })

  it('ignore pasted text', () => {
    expect(type(state, 'fy', 'ry', 'Kq', 'rm -rf').commands).toEqual([])
    expect(type(state, 'fy').state.mode).toEqual({ type: 'looking' })
  })

  it('start no command for a dead Golem, without a Golem, during another command, or while disconnected', () => {
    const dead = type(state, 'jj').state
    expect(type(dead, 'f', 'y').commands).toEqual([])
    expect(type(dead, 'f').state.notice?.text).toBe('gone is dead.')
    expect(type(nothingYet, 'f', 'y').commands).toEqual([])
    const busy = reduceEvent(state, { type: 'working', text: 'Renewing the permission' })
    expect(type(busy, 'r', 'y').commands).toEqual([])
    const lost = reduceEvent(state, { type: 'link', link: { type: 'waiting', because: '' } })
    expect(type(lost, 'f', 'y').commands).toEqual([])
  })

  it('quit at once, or after the running command; a second time at once', () => {
    expect(type(state, 'q').commands).toEqual([{ type: 'quit' }])
    expect(type(state, '?', 'x', { type: 'interrupt' }).commands).toEqual([{ type: 'quit' }])
    expect(type(state, 'K', { type: 'interrupt' }).commands).toEqual([{ type: 'quit' }])
    const busy = reduceEvent(state, { type: 'working', text: 'Renewing the permission' })
    const leaving = type(busy, 'q')
    expect(leaving.commands).toEqual([])
    expect(leaving.state.isLeaving).toBe(true)
    expect(type(leaving.state, { type: 'interrupt' }).commands).toEqual([{ type: 'quit' }])
  })
})
