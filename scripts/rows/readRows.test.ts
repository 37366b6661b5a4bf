import { expect, it } from 'vitest'
import { readRows } from './readRows.ts'

const row = (number: number, state: string, proofs: string, missing = '') =>
  `| ${number} | a feature | ${state} | ${proofs} | ${missing} |`

it('reads numbers, states and every kind of proof', () => {
  const proofs =
    'test: `a/b.test.ts`: does: this<br>run: `bardo status "A B"` prints `alive`<br>page: [a page](golem.md#death)'
  const page = [
    '# Title',
    '| # | feature |',
    '| --- | --- |',
    row(1, 'works', proofs),
    row(2, 'not built', '', 'soon'),
  ]
  expect(readRows(page.join('\n'))).toEqual({
    problems: [],
    rows: [
      {
        number: 1,
        feature: 'a feature',
        state: 'works',
        missing: '',
        proofs: [
          { type: 'test', file: 'a/b.test.ts', title: 'does: this' },
          { type: 'run', command: 'bardo status "A B"', output: 'alive' },
          { type: 'page', link: 'golem.md#death' },
        ],
      },
      { number: 2, feature: 'a feature', state: 'not built', missing: 'soon', proofs: [] },
    ],
  })
})

const test = 'test: `a.test.ts`: title'
it.each([
  ['a missing row', `${row(1, 'works', test)}\n${row(3, 'works', test)}`, 'row 3: expected row 2'],
  ['another state', row(1, 'soon', test), 'line 1: the state must be'],
  ['a feature without a proof', row(1, 'works', ''), 'line 1: a feature that is "works" needs a proof'],
  ['a proof of what is not built', row(1, 'not built', test), 'line 1: a feature that is not built'],
  ['a gap that is not named', row(1, 'partly', test), 'line 1: a feature that is there partly'],
  ['a gap in what works', row(1, 'works', test, 'a lot'), 'line 1: a feature that works misses nothing'],
  ['a proof in another form', row(1, 'works', 'trust me'), 'line 1: cannot read the proof "trust me"'],
  ['a command of another program', row(1, 'works', 'run: `rm -rf /` prints `x`'), 'line 1: cannot read'],
  ['a missing column', '| 1 | a feature | works |', 'line 1: expected 5 columns'],
])('reports %s', (_, text, problem) => {
  expect(readRows(text).problems.join()).toContain(problem)
})
