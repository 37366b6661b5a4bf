/** A stretch of a Markdown text that reads as one: a paragraph, a list item, a table row, a heading. */
export type Block = {
  readonly kind: 'text' | 'item' | 'heading'
  /** Lines of the block with their numbers, counted from 1. */
  readonly lines: readonly { readonly number: number; readonly text: string }[]
  /** Of a heading: 1 to 6. */
  readonly level: number
  /** What stands in an unclosed code block or comment: it can forbid, it cannot ask. */
  readonly mute: boolean
}

// A line that states a term stands by itself. No other line does: a wrapped sentence must keep its "never".
const statesTerm =
  /^ *[*_]*(?:(?:daily|weekly|max|maximum|spending|allowed|settlement|base) )?(?:budget|assets?|tokens|universe|settlement|quote|currency|cadence|frequency|schedule|lifespan|duration|window|lifetime|slippage|runway|limit)[*_]*:/i

/** The blocks of a Markdown text, without closed code blocks, comments and quotations. */
export function readBlocks(text: string): {
  readonly blocks: readonly Block[]
  readonly unclosed: number | undefined
} {
  const lines = plain(text).split(/\r\n|[\n\r\u2028\u2029\u0085\v\f]/)
  const hidden = hiddenLines(lines)
  const blocks: Block[] = []
  let open: { kind: Block['kind']; lines: { number: number; text: string }[]; mute: boolean } | undefined
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
      // A line of === or --- makes a heading of the paragraph above it.
      blocks.push({ ...open, kind: 'heading', level: line.includes('=') ? 1 : 2 })
      open = undefined
    } else if (/^[ \-_*=]*$/.test(line)) close()
    else if (/^ *>/.test(line)) close()
    else if (/^ *\|/.test(line)) {
      close()
      open = { kind: 'item', lines: [{ number, text: line }], mute }
    } else {
      const item = /^ *(?:[-*+]|\d{1,9}[.)]) +(?:\[[ xX]\] +)?(.*)$/.exec(line)
      if (item || statesTerm.test(line) || open === undefined) {
        close()
        open = { kind: item ? 'item' : 'text', lines: [{ number, text: item?.[1] ?? line }], mute }
      } else open.lines.push({ number, text: line })
    }
  }
  close()
  return { blocks, unclosed: hidden.unclosed }
}

// Lookalike letters become one letter, and characters that nobody sees vanish, so that "ne​ver" is "never".
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}\p{Co}]/gu, '')
    .replace(/[‘’ʼ＇`´](?=[a-zA-Z]{1,2}\b)/g, "'")
    .replace(/[\u2010-\u2012\u2212]/g, '-')
    .replace(/\u00a0/g, ' ')
}

type LineState = 'shown' | 'hidden' | 'comment' | 'mute'

/** Which lines are code or comment. What never closes hides nothing: it only loses its voice. */
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
    // Kept in case that the comment never ends.
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
