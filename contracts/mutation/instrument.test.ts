import { describe, expect, it } from 'vitest'
import { instrument } from './instrument.ts'

/** A function around statements. */
const within = (statements: string, head = 'function f() internal view') =>
  `library L {\n${head} {\n${statements}\n}\n}\n`

/** The statements after the rewriting, and what each mutant changes. */
function rewritten(statements: string, head?: string) {
  const { text, mutants } = instrument('src/L.sol', within(statements, head), 1)
  return {
    body: text.split('\n').slice(2, -3).join('\n'),
    changes: mutants.map(({ change }) => change),
    mutants,
  }
}

describe('instrument', () => {
  it('makes an if that reverts switchable: inverted, and never true', () => {
    expect(rewritten('if (a > b) revert X(a);')).toMatchObject({
      body: 'if ((block.prevrandao == 1 ? !(a > b) : ((block.prevrandao != 2 && (a > b))))) revert X(a);',
      changes: ['the condition is inverted', '`a > b` is never true'],
    })
  })

  it('finds a condition of several lines and a revert in a block', () => {
    const { mutants } = rewritten('if (\n  a > b // larger\n    || c\n) {\n  revert X();\n}')
    expect(mutants.map(({ change, line }) => [change, line])).toEqual([
      ['the condition is inverted', 3],
      ['`a > b` is never true', 4],
      ['`c` is never true', 5],
    ])
  })

  it('switches off each alternative separately, and assumes each condition of a conjunction', () => {
    expect(rewritten('if (a || (b && f(c || d))) revert X();').changes).toEqual([
      'the condition is inverted',
      '`a` is never true',
      '`b && f(c || d)` is never true',
      '`b` is always true',
      '`f(c || d)` is always true',
    ])
  })

  it('covers every branch of a chain whose last else reverts, and that revert', () => {
    expect(rewritten('if (a) x(); else if (b) { y(); } else revert X();')).toMatchObject({
      body: [
        'if ((block.prevrandao == 1 ? !(a) : ((block.prevrandao != 2 && (a))))) x();',
        'else if ((block.prevrandao == 3 ? !(b) : ((block.prevrandao != 4 && (b))))) { y(); }',
        'else if (block.prevrandao != 5) revert X();',
      ].join(' '),
    })
  })

  it('covers checks as statements and after an if', () => {
    expect(rewritten('Lifetime.requireWithin(a, b);\nif (c) _requireGone(d);')).toMatchObject({
      body: [
        'if (block.prevrandao != 3) Lifetime.requireWithin(a, b);',
        'if ((block.prevrandao == 1 ? !(c) : ((block.prevrandao != 2 && (c))))) _requireGone(d);',
      ].join('\n'),
      changes: ['the condition is inverted', '`c` is never true', 'the check is gone'],
    })
  })

  it('covers an if that returns before the checks', () => {
    expect(rewritten('if (a) return;\nif (b) return 0;\nfor (;;) { if (c) continue; }').changes).toHaveLength(
      6,
    )
    expect(rewritten('if (a) return b;\nif (c) break;').changes).toEqual([])
  })

  it('covers both results of a function that returns bool', () => {
    const head = 'function f() internal view returns (bool)'
    expect(rewritten('return a == b;', head)).toMatchObject({
      body: 'return (block.prevrandao == 1 || ((block.prevrandao != 2 && (a == b))));',
    })
    expect(rewritten('return a && b;', head).changes).toEqual([
      '`a && b` is never true',
      '`a` is always true',
      '`b` is always true',
    ])
    expect(rewritten('return true;', head).changes).toEqual([])
  })

  it('covers both results of a conditional that sets a bool', () => {
    expect(rewritten('bool x = a == 0 ? b : c == d;').changes).toEqual([
      '`b` is always true',
      '`b` is never true',
      '`c == d` is always true',
      '`c == d` is never true',
    ])
  })

  it('covers comparisons in assembly, and a call that fails', () => {
    const { body } = rewritten(
      'assembly { ok := and(gt(returndatasize(), 31), staticcall(gas(), a, 0, 4, 0, 32)) }',
    )
    expect(body).toContain(
      'or(eq(prevrandao(), 1), and(iszero(eq(prevrandao(), 2)), gt(returndatasize(), 31)))',
    )
    expect(body).toContain('or(eq(prevrandao(), 3), staticcall(gas(), a, 0, 4, 0, 32))')
  })

  it('switches a modifier off at each use', () => {
    const source =
      'contract C {\nmodifier only(uint256 id) {\n_checkOwner(id);\n_;\n}\nfunction f(uint256 id) external only(id) {}\n}\n'
    const { text, mutants } = instrument('src/C.sol', source, 1)
    expect(text).toContain('modifier only(uint256 id, uint256 mutant) {if (block.prevrandao != mutant) {')
    expect(text).toContain('if (block.prevrandao != 1) _checkOwner(id);\n}_;')
    expect(text).toContain('function f(uint256 id) external only(id, 2) {}')
    expect(mutants.map(({ where, change }) => [where, change])).toEqual([
      ['only', 'the check is gone'],
      ['f', 'f does without it'],
    ])
  })

  it('does not change comments, strings and other conditions', () => {
    const statements = '// if (a) revert X();\nstring memory s = "if (a) revert X();";\nif (a) b = c;'
    expect(rewritten(statements)).toMatchObject({ body: statements, changes: [] })
  })

  it('makes pure functions view, because they now read the block', () => {
    const { text } = instrument('src/L.sol', within('if (a) revert X();', 'function f() internal pure'), 1)
    expect(text).toContain('function f() internal view {')
  })

  it('numbers mutants from the given number, and gives equal guards of one function different keys', () => {
    const { mutants } = instrument('src/L.sol', within('if (a) revert X();\nif (a) revert Y();'), 40)
    expect(mutants.map(({ id }) => id)).toEqual([40, 41, 42, 43])
    expect(new Set(mutants.map(({ key }) => key)).size).toBe(4)
    expect(new Set(mutants.map(({ guardKey }) => guardKey)).size).toBe(2)
  })
})
