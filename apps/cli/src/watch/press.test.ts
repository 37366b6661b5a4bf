import { describe, expect, it } from 'vitest'
import { sampleGolem, sampleId } from '../testing/sampleGolems.ts'
import { happen } from './happen.ts'
import { type Key, press, type Wish } from './press.ts'
import { nothingYet, type WatchState } from './watchState.ts'

const golem = sampleId('Alpha DCA')
const rows = ['Alpha DCA', 'beta', 'gone'].map(
  (name) => sampleGolem({ name, status: name === 'gone' ? 'dead' : 'alive' }, 0).row,
)
const state = [
  { is: 'listed', golems: rows, head: 0, isNewWorld: false } as const,
  { is: 'link', link: { is: 'live' } } as const,
].reduce<WatchState>(happen, nothingYet)

function type(from: WatchState, ...keys: readonly (string | Key)[]) {
  let now = from
  const wishes: Wish[] = []
  for (const key of keys) {
    const pressed = press(now, typeof key === 'string' ? { is: 'text', text: key } : key, 2)
    now = pressed.state
    if (pressed.wish) wishes.push(pressed.wish)
  }
  return { state: now, wishes }
}
const enter: Key = { is: 'enter' }

describe('keys', () => {
  it('choose, and stop at the ends', () => {
    expect(type(state, 'j').state.chosen).toBe(sampleId('beta'))
    expect(type(state, 'jjjjj').state.chosen).toBe(sampleId('gone'))
    expect(type(state, { is: 'end' }, { is: 'up' }, 'kkk').state.chosen).toBe(golem)
  })

  it.each([
    ['f', 'feed'],
    ['r', 'revoke'],
  ] as const)('ask before %s, and do it only for a yes', (letter, is) => {
    expect(type(state, letter).wishes).toEqual([])
    expect(type(state, letter, 'y').wishes).toEqual([{ is, golem }])
    for (const no of ['n', 'q', { is: 'escape' } as const]) {
      const { wishes, state: after } = type(state, letter, no)
      expect(wishes).toEqual([])
      expect(after.notice?.text).toBe('Nothing was done.')
    }
    expect(type(state, letter, enter, 'x', 'yy').wishes).toEqual([])
  })

  it('end a Golem only when its name is typed', () => {
    expect(type(state, 'K', 'Alpha DC', 'x', { is: 'backspace' }, 'A', enter).wishes).toEqual([
      { is: 'kill', golem },
    ])
    const { wishes, state: after } = type(state, 'K', 'alpha dca', enter)
    expect(wishes).toEqual([])
    expect(after.notice?.text).toContain('not its name')
    expect(type(state, 'K', 'y', enter).wishes).toEqual([])
    expect(type(state, 'k').wishes).toEqual([])
  })

  it('adjust after a path, the changes and a yes', () => {
    expect(type(state, 'a', './S.md ', enter).wishes).toEqual([{ is: 'compile', golem, path: './S.md' }])
    expect(type(state, 'a', ' ', enter).wishes).toEqual([])
    const weighing = happen(state, { is: 'compiled', golem, strategy: 'text', changes: [] })
    expect(type(weighing, 'y').wishes).toEqual([{ is: 'adjust', golem, strategy: 'text' }])
    expect(type(weighing, 'n').wishes).toEqual([])
  })

  it('take nothing that was pasted for commands', () => {
    expect(type(state, 'fy', 'ry', 'Kq', 'rm -rf').wishes).toEqual([])
    expect(type(state, 'fy').state.mode).toEqual({ is: 'looking' })
  })

  it('do nothing to the dead, to nobody, while something is done, or while nobody answers', () => {
    const dead = type(state, 'jj').state
    expect(type(dead, 'f', 'y').wishes).toEqual([])
    expect(type(dead, 'f').state.notice?.text).toBe('gone is dead.')
    expect(type(nothingYet, 'f', 'y').wishes).toEqual([])
    const busy = happen(state, { is: 'working', text: 'Feeding it' })
    expect(type(busy, 'r', 'y').wishes).toEqual([])
    const lost = happen(state, { is: 'link', link: { is: 'waiting', because: '' } })
    expect(type(lost, 'f', 'y').wishes).toEqual([])
  })

  it('leave at once, but let what was begun end first unless somebody insists', () => {
    expect(type(state, 'q').wishes).toEqual([{ is: 'quit' }])
    expect(type(state, '?', 'x', { is: 'interrupt' }).wishes).toEqual([{ is: 'quit' }])
    expect(type(state, 'K', { is: 'interrupt' }).wishes).toEqual([{ is: 'quit' }])
    const busy = happen(state, { is: 'working', text: 'Feeding it' })
    const leaving = type(busy, 'q')
    expect(leaving.wishes).toEqual([])
    expect(leaving.state.isLeaving).toBe(true)
    expect(type(leaving.state, { is: 'interrupt' }).wishes).toEqual([{ is: 'quit' }])
  })
})
