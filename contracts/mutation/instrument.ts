/**
 * Finds the guards of a Solidity source and rewrites the source so that each one can be switched off at run time. A forge
 * run takes `block.prevrandao` from its command line, and no test reads it: mutant 17 is active where it is 17. So one
 * compilation serves every mutant.
 *
 * What counts as a guard:
 * - an `if` whose body, or whose last `else`, reverts, and one whose body calls a check or leaves early (`return`,
 *   `continue`); each part of its condition;
 * - a call of a check (`require…`, `check…`) as a statement, and each use of a modifier;
 * - a `revert` that no `if` of its own guards;
 * - what a function that returns `bool` returns, and what a `bool` variable is set to;
 * - a comparison or a `staticcall` in assembly.
 */

/** One change of one guard. */
export type Mutant = {
  /** The value of `block.prevrandao` that makes it active. */
  readonly id: number
  readonly file: string
  readonly line: number
  /** The function that holds the guard. */
  readonly where: string
  /** The guard's own text, on one line. Mutants of one guard have the same. */
  readonly guard: string
  /** What the mutant does to it, for example "`a != b` is never true". */
  readonly change: string
  /** Identifies the mutant across runs: file, function, guard and change, and a number if two are equal. */
  readonly key: string
  /** Identifies the guard across runs. */
  readonly guardKey: string
}

export type Instrumented = { readonly text: string; readonly mutants: readonly Mutant[] }

type Range = { readonly start: number; readonly end: number }
type Insertion = { readonly at: number; readonly text: string; readonly order: number }

/** Names of checks; the last three also refuse, although their names do not say so. */
const checks = /(?:\w+\.)*_?(?:require|check)[A-Z]\w*|Calls\.open|Actions\.tracked|word/
const checkStatement = new RegExp(`(?<![\\w.])(?:${checks.source})(?=\\()`, 'g')
const checkBody = new RegExp(`^\\{?\\s*(?:${checks.source})\\(`)
const earlyExit = /^\{?\s*(?:return\s*(?:true|false|0)?|continue)\s*;/

/** Rewrites one source. `firstId` is the number of its first mutant. */
export function instrument(file: string, source: string, firstId: number): Instrumented {
  const code = blank(source)
  const assembly = assemblyBlocks(code)
  const solidity = blankRanges(code, assembly)
  const insertions: Insertion[] = []
  const mutants: Mutant[] = []
  const seen = new Map<string, number>()
  let guardKey = ''

  const text = ({ start, end }: Range) => source.slice(start, end).replaceAll(/\s+/g, ' ').trim()
  const unique = (key: string) => {
    const count = (seen.get(key) ?? 0) + 1
    seen.set(key, count)
    return count === 1 ? key : `${key} #${count}`
  }
  const insert = (at: number, inserted: string) =>
    insertions.push({ at, text: inserted, order: insertions.length })
  /** A prefix and a suffix; a later wrap lies inside an earlier one. */
  const wrap = ({ start, end }: Range, before: string, after: string) => {
    insert(start, before)
    insertions.push({ at: end, text: after, order: -insertions.length })
  }
  const begin = (range: Range) => {
    guardKey = unique(`${file} ${functionAt(solidity, range.start)}: ${text(range)}`)
  }
  const mutant = (range: Range, guard: Range, change: string): number => {
    const id = firstId + mutants.length
    const where = functionAt(solidity, range.start)
    const key = unique(`${guardKey} → ${change}`)
    const line = source.slice(0, range.start).split('\n').length
    mutants.push({ id, file, line, where, guard: text(guard), change, key, guardKey })
    return id
  }

  const setFalse = (range: Range, guard: Range) =>
    wrap(range, `(block.prevrandao != ${mutant(range, guard, `\`${text(range)}\` is never true`)} && (`, '))')
  const setTrue = (range: Range, guard: Range) =>
    wrap(
      range,
      `(block.prevrandao == ${mutant(range, guard, `\`${text(range)}\` is always true`)} || (`,
      '))',
    )
  // Not `condition != (prevrandao == id)`: one more word on the stack is too many for some functions.
  const invert = (range: Range, guard: Range) =>
    wrap(
      range,
      `(block.prevrandao == ${mutant(range, guard, 'the condition is inverted')} ? !(${source.slice(range.start, range.end)}) : (`,
      '))',
    )

  /** Each part of a condition: an alternative that refuses is switched off, a conjunct is assumed true. */
  const weaken = (range: Range, guard: Range) => {
    const inner = withoutParentheses(solidity, range)
    const alternatives = split(solidity, inner, '||')
    const conjuncts = split(solidity, inner, '&&')
    if (alternatives.length > 1) for (const part of alternatives) weaken(part, guard)
    else {
      setFalse(inner, guard)
      if (conjuncts.length > 1) for (const part of conjuncts) setTrue(part, guard)
    }
  }
  /** A value that is used elsewhere: each part in both directions, unless another mutant implies it. */
  const bothWays = (range: Range, guard: Range) => {
    const inner = withoutParentheses(solidity, range)
    const [, yes, no] = ternary(solidity, inner) ?? []
    if (yes && no) {
      bothWays(yes, guard)
      bothWays(no, guard)
      return
    }
    const alternatives = split(solidity, inner, '||')
    const conjuncts = split(solidity, inner, '&&')
    if (conjuncts.length === 1 || alternatives.length > 1) setTrue(inner, guard)
    if (alternatives.length === 1) setFalse(inner, guard)
    if (alternatives.length > 1) for (const part of alternatives) setFalse(part, guard)
    else if (conjuncts.length > 1) for (const part of conjuncts) setTrue(part, guard)
  }

  const guarded = new Set<number>()
  for (const { condition, body, otherwise } of ifs(solidity)) {
    const statement = solidity.slice(body.start, body.end)
    const refuses = /\brevert\b/.test(statement) || /^\{?\s*revert\b/.test(otherwise)
    if (!refuses && !checkBody.test(statement) && !earlyExit.test(statement)) continue
    const first = body.start + (/^\{?\s*/.exec(statement)?.[0].length ?? 0)
    guarded.add(first)
    begin(condition)
    invert(condition, condition)
    weaken(condition, condition)
  }
  for (const statement of statements(solidity, /\brevert\b/g)) {
    if (guarded.has(statement.start)) continue
    begin(statement)
    insert(statement.start, `if (block.prevrandao != ${mutant(statement, statement, 'the revert is gone')}) `)
  }
  for (const statement of statements(solidity, checkStatement)) {
    if (guarded.has(statement.start)) continue
    begin(statement)
    insert(statement.start, `if (block.prevrandao != ${mutant(statement, statement, 'the check is gone')}) `)
  }
  for (const value of booleans(solidity)) {
    begin(value)
    bothWays(value, value)
  }
  for (const { name, parameters, check } of modifiers(solidity)) {
    insert(parameters.end, `${parameters.start === parameters.end ? '' : ', '}uint256 mutant`)
    wrap(check, 'if (block.prevrandao != mutant) {', '}')
    for (const use of uses(solidity, name)) {
      const place = { start: use.start, end: use.end + 1 }
      begin(place)
      insert(
        use.end,
        `${use.empty ? '' : ', '}${mutant(place, place, `${functionAt(solidity, use.start)} does without it`)}`,
      )
    }
  }
  for (const block of assembly)
    for (const call of calls(code, block, /\b(eq|lt|gt|slt|sgt|staticcall)\s*\(/g)) {
      begin(call)
      wrap(call, `or(eq(prevrandao(), ${mutant(call, call, `\`${text(call)}\` is always true`)}), `, ')')
      if (!source.startsWith('staticcall', call.start))
        wrap(
          call,
          `and(iszero(eq(prevrandao(), ${mutant(call, call, `\`${text(call)}\` is never true`)})), `,
          ')',
        )
    }

  return { text: readingTheBlock(apply(source, insertions)), mutants }
}

/** A function that reads the block is not pure. Comments and strings may change too: they have no effect. */
export function readingTheBlock(source: string): string {
  return source.replaceAll(/\bpure\b/g, 'view')
}

/** The source with comments and strings blanked out, character for character. */
function blank(source: string): string {
  return source.replaceAll(/\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g, spaces)
}

const spaces = (text: string) => text.replaceAll(/[^\n]/g, ' ')

function blankRanges(code: string, ranges: readonly Range[]): string {
  let result = code
  for (const { start, end } of ranges)
    result = result.slice(0, start) + spaces(result.slice(start, end)) + result.slice(end)
  return result
}

function assemblyBlocks(code: string): Range[] {
  return [...code.matchAll(/\bassembly\b[^{]*\{/g)].map(({ index, 0: head }) => ({
    start: index + head.length,
    end: closing(code, index + head.length - 1),
  }))
}

/** Where the bracket at `open` closes. */
function closing(code: string, open: number): number {
  let depth = 0
  for (let i = open; i < code.length; i++) {
    if ('([{'.includes(code.charAt(i))) depth++
    else if (')]}'.includes(code.charAt(i)) && --depth === 0) return i
  }
  throw new Error(`The bracket at character ${open} is never closed.`)
}

/** Every `if`: its condition, its statement or block, and the last `else` of its chain. */
function ifs(code: string): { condition: Range; body: Range; otherwise: string }[] {
  return [...code.matchAll(/\bif\s*\(/g)].map(({ index, 0: head }) => {
    const open = index + head.length - 1
    const close = closing(code, open)
    const start = close + 1 + (/^\s*/.exec(code.slice(close + 1))?.[0].length ?? 0)
    const end = code[start] === '{' ? closing(code, start) + 1 : endOfStatement(code, start)
    return {
      condition: { start: open + 1, end: close },
      body: { start, end },
      otherwise: lastElse(code, end),
    }
  })
}

function lastElse(code: string, endOfBody: number): string {
  const word = /^\s*else\s*/.exec(code.slice(endOfBody))?.[0]
  if (word === undefined) return ''
  const start = endOfBody + word.length
  const next = /^if\s*\(/.exec(code.slice(start))?.[0]
  if (next === undefined) return code.slice(start)
  const body = closing(code, start + next.length - 1) + 1
  const space = /^\s*/.exec(code.slice(body))?.[0].length ?? 0
  const end = code[body + space] === '{' ? closing(code, body + space) + 1 : endOfStatement(code, body)
  return lastElse(code, end)
}

function endOfStatement(code: string, start: number): number {
  for (let i = start; i < code.length; i++) {
    if (code[i] === ';') return i + 1
    if ('([{'.includes(code.charAt(i))) i = closing(code, i)
  }
  throw new Error(`The statement at character ${start} never ends.`)
}

/** Every statement that starts with the pattern and ends with that call. */
function statements(code: string, pattern: RegExp): Range[] {
  return [...code.matchAll(pattern)]
    .filter(({ index }) => /([;{}]|\belse)\s*$/.test(code.slice(0, index)))
    .map(({ index }) => ({ start: index, end: endOfStatement(code, index) }))
    .filter(
      ({ start, end }) => /\)\s*;$/.test(code.slice(start, end)) && !/=[^=]/.test(outside(code, start, end)),
    )
}

/** The text of a range without bracketed parts. */
function outside(code: string, start: number, end: number): string {
  let result = ''
  for (let i = start; i < end; i++) {
    if ('([{'.includes(code.charAt(i))) i = closing(code, i)
    else result += code[i]
  }
  return result
}

/**
 * The return values of functions that return one `bool`, and the values of `bool` variables; without
 * literals.
 */
function booleans(code: string): Range[] {
  const found: Range[] = []
  for (const { index, 0: head, 1: name } of code.matchAll(
    /\breturns\s*\(\s*bool(?:\s+(\w+))?\s*\)[^{};]*\{/g,
  )) {
    const open = index + head.length - 1
    const body = code.slice(open, closing(code, open))
    const results = name ? `return\\b|(?<![\\w.]|bool\\s)${name}\\s*=(?!=)` : 'return\\b'
    for (const { index: at, 0: word } of body.matchAll(new RegExp(results, 'g')))
      found.push(expression(code, open + at + word.length))
  }
  for (const { index, 0: head } of code.matchAll(/\bbool\s+\w+\s*=(?!=)/g))
    found.push(expression(code, index + head.length))
  return found.filter(({ start, end }) => !/^(true|false|)$/.test(code.slice(start, end)))
}

/** The expression from `from` to the end of its statement, without the space around it. */
function expression(code: string, from: number): Range {
  const start = from + (/^\s*/.exec(code.slice(from))?.[0].length ?? 0)
  return { start, end: endOfStatement(code, start) - 1 }
}

function modifiers(code: string): { name: string; parameters: Range; check: Range }[] {
  return [...code.matchAll(/\bmodifier\s+(\w+)\s*\(/g)].map(({ index, 0: head, 1: name = '' }) => {
    const open = index + head.length - 1
    const close = closing(code, open)
    const body = code.indexOf('{', close)
    const check = { start: body + 1, end: body + code.slice(body).search(/\b_;/) }
    return { name, parameters: { start: open + 1, end: close }, check }
  })
}

function uses(code: string, name: string): { start: number; end: number; empty: boolean }[] {
  return [...code.matchAll(new RegExp(`(?<!modifier\\s+)\\b${name}\\s*\\(`, 'g'))].map(
    ({ index, 0: head }) => {
      const open = index + head.length - 1
      const end = closing(code, open)
      return { start: index, end, empty: code.slice(open + 1, end).trim() === '' }
    },
  )
}

function calls(code: string, { start, end }: Range, pattern: RegExp): Range[] {
  return [...code.slice(start, end).matchAll(pattern)].map(({ index, 0: head }) => ({
    start: start + index,
    end: closing(code, start + index + head.length - 1) + 1,
  }))
}

/** The parts of an expression between an operator of its top level. */
function split(code: string, { start, end }: Range, operator: '||' | '&&'): Range[] {
  const parts: Range[] = []
  let from = start
  for (let i = start; i < end; i++) {
    if ('([{'.includes(code.charAt(i))) i = closing(code, i)
    else if (code.startsWith(operator, i)) {
      parts.push({ start: from, end: i })
      from = i + 2
    }
  }
  return [...parts, { start: from, end }].map((part) => trimmed(code, part))
}

function ternary(code: string, { start, end }: Range): [Range, Range, Range] | undefined {
  let question = -1
  for (let i = start; i < end; i++) {
    if ('([{'.includes(code.charAt(i))) i = closing(code, i)
    else if (code[i] === '?') question = i
    else if (code[i] === ':' && question >= 0)
      return [
        trimmed(code, { start, end: question }),
        trimmed(code, { start: question + 1, end: i }),
        trimmed(code, { start: i + 1, end }),
      ]
  }
  return undefined
}

function trimmed(code: string, { start, end }: Range): Range {
  const text = code.slice(start, end)
  return {
    start: start + text.length - text.trimStart().length,
    end: end - (text.length - text.trimEnd().length),
  }
}

function withoutParentheses(code: string, range: Range): Range {
  const inner = trimmed(code, range)
  return code[inner.start] === '(' && closing(code, inner.start) === inner.end - 1
    ? withoutParentheses(code, { start: inner.start + 1, end: inner.end - 1 })
    : inner
}

/** The name of the function, modifier or constructor that contains a position. */
function functionAt(code: string, at: number): string {
  return (
    [
      ...code
        .slice(0, at)
        .matchAll(/\b(?:(?:function|modifier)\s+(\w+)|(constructor|fallback|receive)(?=\s*\())/g),
    ]
      .at(-1)
      ?.slice(1)
      .find(Boolean) ?? ''
  )
}

/**
 * At one position: suffixes before prefixes, inner suffixes before outer ones, outer prefixes before inner
 * ones.
 */
function apply(source: string, insertions: readonly Insertion[]): string {
  let result = ''
  let from = 0
  for (const { at, text } of insertions.toSorted((a, b) => a.at - b.at || a.order - b.order)) {
    result += source.slice(from, at) + text
    from = at
  }
  return result + source.slice(from)
}
