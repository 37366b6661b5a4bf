/** One block of a Markdown text: a paragraph, a list item, a table row, a heading. */
export type Block = {
  readonly kind: 'text' | 'item' | 'heading'
  /** Lines of the block with their numbers, counted from 1. */
  readonly lines: readonly { readonly number: number; readonly text: string }[]
  /** For a heading: 1 to 6. */
  readonly level: number
  /** In an unclosed code block or comment: it can forbid, but not request. */
  readonly mute: boolean
}

// Only a line that states a term is a block of its own: a wrapped sentence must keep its "never".
const statesTerm =
  /^ *[*_]*(?:(?:daily|weekly|max|maximum|spending|allowed|settlement|base|vault|position|knowledge|gas|replicants?) )?(?:replicants|gas|mood|floor|position|size|sales?|allowance|cap|budget|assets?|tokens|universe|settlement|quote|currency|cadence|frequency|schedule|lifespan|duration|window|lifetime|slippage|runway|limit)[*_]*:/i

/** The blocks of a Markdown text, without closed code blocks, comments and quotations. */
export function readBlocks(text: string): {
  readonly blocks: readonly Block[]
  readonly unclosed: number | undefined
} {
  const lines = plain(text).split(/\r\n|[\n\r\u2028\u2029\u0085\v\f]/)
  const hidden = hiddenLines(lines)
  const blocks: Block[] = []
  let open: { kind: Block['kind']; lines: { number: number; text: string }[]; mute: boolean } | undefined
  let columns: readonly string[] = []
  let table = -1
  const close = () => {
    if (open) blocks.push({ ...open, level: 0 })
    open = undefined
  }
  for (const [index, raw] of lines.entries()) {
    const number = index + 1
    const state = hidden.states[index]
    // A comment in the middle of a sentence does not end it.
    if (state === 'comment') continue
    if (state === 'hidden') {
      close()
      continue
    }
    const mute = state === 'mute'
    const line = raw.replace(/\t/g, ' ')
    const heading = /^ {0,3}(#{1,6})(?: (.*))?$/.exec(line)
    if (heading) {
      close()
      const lines = [{ number, text: heading[2] ?? '' }]
      blocks.push({ kind: 'heading', lines, level: heading[1]?.length ?? 1, mute })
    } else if (open?.kind === 'text' && /^ {0,3}(=+|-+) *$/.test(line)) {
      // A line of === or --- turns the paragraph above into a heading.
      blocks.push({ ...open, kind: 'heading', level: line.includes('=') ? 1 : 2 })
      open = undefined
    } else if (/^[ \-_*=]*$/.test(line)) close()
    else if (/^ *>/.test(line)) close()
    else if (/^ *\|/.test(line)) {
      close()
      if (isRule(line)) {
        // The row above the rule names the columns and has no meaning by itself.
        const above = blocks.at(-1)
        if (above?.lines[0]?.number === number - 1 && above.kind === 'item') {
          columns = cellsOf(above.lines[0].text)
          blocks.pop()
        }
        table = number
        continue
      }
      if (table !== number - 1) columns = []
      table = columns.length > 0 ? number : -1
      for (const text of readRow(line, columns))
        blocks.push({ kind: 'item', lines: [{ number, text }], mute, level: 0 })
    } else {
      const item = /^ *(?:[-*+]|\d{1,9}[.)]) +(?:\[[ xX]\] +)?(.*)$/.exec(line)
      const before = open?.lines.at(-1)?.text ?? ''
      if (
        item ||
        statesTerm.test(line) ||
        open === undefined ||
        (statesTerm.test(before) && startsAfresh(line))
      ) {
        close()
        open = { kind: item ? 'item' : 'text', lines: [{ number, text: item?.[1] ?? line }], mute }
      } else open.lines.push({ number, text: line })
    }
  }
  close()
  return { blocks, unclosed: hidden.unclosed }
}

/**
 * After a line such as `budget: $60/day`: a line that starts like a sentence or a limit, and negates nothing.
 */
function startsAfresh(line: string): boolean {
  const begins =
    /^ *(?:[A-Z$\d]|(?:at most|max|maximum|up to|no more than|not more than|per|each|every|only|swap|buy|sell|dca|deposit|trade)\b)/
  const takesBack = /\b(?:never|not|no|nor|without|until|unless|later|maybe|if|when|but)\b/i
  return begins.test(line) && !takesBack.test(line.replace(/^ *(?:no|not) more than\b/i, ''))
}

/** `| --- | :---: |` */
function isRule(line: string): boolean {
  return /^ *\|[ :|-]*-[ :|-]*$/.test(line)
}

function cellsOf(line: string): string[] {
  return line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim())
}

const bareNumber =
  /^[$€£]?[\d,.]+ ?(?:[kKmM]|%|bps|USDC?|dollars?|seconds?|minutes?|hours?|days?|weeks?|months?|years?)?$/
const perColumn =
  /^(?:(?:max|maximum|limit|most|amount|size|spend) )?(?:per|each|every|\/) ?[a-z]+$|^(?:daily|weekly|monthly|hourly)(?: (?:limit|max|cap|spend))?$/i
const termColumn =
  /^(?:(?:daily|weekly|monthly|max|maximum) )?(?:budget|slippage|lifespan|duration|lifetime|cadence|frequency|amount|size|trade size|runway)$/i

const forbids = /\b(?:never|not|forbidden|avoid|banned|prohibited|excluded|disallowed)\b/i

/** A table row as sentences: numbers in a named column are read with that name. */
function readRow(line: string, columns: readonly string[]): string[] {
  if (columns.length === 0) return [line]
  const own: string[] = []
  let named = 0
  let forbidden = false
  const cells = cellsOf(line).map((cell, place) => {
    const column = (columns[place] ?? '').replace(/[*_`]/g, '')
    if (forbids.test(column) && cell !== '') {
      if (/^(yes|x|true|y|✓|✔|forbidden|never)$/i.test(cell)) forbidden = true
      else if (!/^(no|false|n|-|–|—)$/i.test(cell)) own.push(`Never ${cell}`)
      return ''
    }
    if (!bareNumber.test(cell)) return cell
    if (perColumn.test(column)) {
      named += 1
      const time = column.replace(/^(?:max|maximum|limit|most|amount|size|spend) /i, '')
      return `at most ${cell} ${time.replace(/^(daily|weekly|monthly|hourly).*/i, '$1')}`
    }
    if (!termColumn.test(column)) return cell
    named += 1
    own.push(`${column}: ${cell}`)
    return ''
  })
  // If every column has a name, each cell is a separate statement.
  if (named === cells.length) return [...own, ...cells.filter((cell) => cell !== '')]
  return [`${forbidden ? 'Never ' : ''}| ${cells.join(' | ')} |`, ...own]
}

// Lookalike letters become one letter, and invisible characters are removed, so that "ne​ver" is "never".
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}\p{Co}]/gu, '')
    .replace(/[‘’ʼ＇`´](?=[a-zA-Z]{1,2}\b)/g, "'")
    .replace(/[\u2010-\u2012\u2212]/g, '-')
    .replace(/\u00a0/g, ' ')
}

type LineState = 'shown' | 'hidden' | 'comment' | 'mute'

/** Which lines are code or comment. An unclosed block hides nothing: its text can only forbid. */
function hiddenLines(lines: string[]) {
  const states: LineState[] = lines.map(() => 'shown')
  let unclosed: number | undefined
  let fence: { mark: string; start: number } | undefined
  let comment: number | undefined
  let held = ''
  for (const [index, line] of lines.entries()) {
    if (comment !== undefined) {
      const end = line.indexOf('-->')
      states[index] = 'comment'
      if (end < 0) continue
      lines[index] = line.slice(end + 3)
      states[index] = 'shown'
      comment = undefined
    }
    if (fence) {
      states[index] = 'hidden'
      const closing = line.trim()
      if (closing.startsWith(fence.mark) && /^(`+|~+)$/.test(closing)) fence = undefined
      continue
    }
    const opening = /^ {0,3}(`{3,}|~{3,})/.exec(lines[index] ?? '')
    if (opening?.[1]) {
      fence = { mark: opening[1], start: index }
      states[index] = 'hidden'
      continue
    }
    const current = (lines[index] ?? '').replace(/<!--[^<]{0,2000}?-->/g, ' ')
    const start = current.indexOf('<!--')
    lines[index] = start < 0 ? current : current.slice(0, start)
    if (start < 0) continue
    comment = index
    // Kept in case the comment is not closed.
    held = current.slice(start + 4)
  }
  const start = fence?.start ?? comment
  if (start !== undefined) {
    unclosed = start + 1
    for (let index = start; index < lines.length; index += 1) states[index] = 'mute'
    if (comment !== undefined) lines[comment] = `${lines[comment] ?? ''} ${held}`
  }
  return { states, unclosed }
}
