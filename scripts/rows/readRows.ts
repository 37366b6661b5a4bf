/** A proof of a row: a test, a command with a text of its output, or a page. */
export type Proof =
  | { readonly type: 'test'; readonly file: string; readonly title: string }
  | { readonly type: 'run'; readonly command: string; readonly output: string }
  | { readonly type: 'page'; readonly link: string }

/** A row of docs/coverage.md. */
export type Row = {
  readonly number: number
  readonly feature: string
  readonly state: 'works' | 'partly' | 'not built'
  readonly proofs: readonly Proof[]
  /** What is not there yet; empty for what works. */
  readonly missing: string
}

/** The rows of a page, and what is wrong with it. */
export type Coverage = { readonly rows: readonly Row[]; readonly problems: readonly string[] }

const states = ['works', 'partly', 'not built'] as const

/**
 * Reads the tables of docs/coverage.md: every line that begins with a number is a row of number, feature,
 * state, proofs and what is missing. Proofs are separated by `<br>`. A row that cannot be read, or whose state
 * does not fit its proofs, is a problem: nothing is skipped.
 */
export function readRows(text: string): Coverage {
  const rows: Row[] = []
  const problems: string[] = []
  text.split('\n').forEach((line, index) => {
    if (!/^\|\s*\d/.test(line)) return
    const row = readRow(line)
    if (typeof row === 'string') problems.push(`line ${index + 1}: ${row}`)
    else rows.push(row)
  })
  rows.forEach(({ number }, index) => {
    if (number !== index + 1) problems.push(`row ${number}: expected row ${index + 1}`)
  })
  return { rows, problems }
}

function readRow(line: string): Row | string {
  const cells = line.split('|').map((cell) => cell.trim())
  if (cells.length !== 7) return `expected 5 columns, found ${cells.length - 2}`
  const [, number = '', feature = '', named = '', proven = '', missing = ''] = cells
  if (!/^\d+$/.test(number)) return `"${number}" is not a number`
  if (feature === '') return 'the feature is missing'
  const state = states.find((one) => one === named)
  if (!state) return `the state must be one of: ${states.join(', ')}`
  const proofs: Proof[] = []
  for (const cell of proven.split('<br>').map((one) => one.trim())) {
    if (cell === '') continue
    const proof = readProof(cell)
    if (!proof) return `cannot read the proof "${cell}"`
    proofs.push(proof)
  }
  if (state !== 'not built' && proofs.length === 0) return `a feature that is "${state}" needs a proof`
  if (state === 'not built' && proofs.length > 0) return 'a feature that is not built has no proof'
  if (state === 'works' && missing !== '') return 'a feature that works misses nothing'
  if (state === 'partly' && missing === '') return 'a feature that is there partly must say what is missing'
  return { number: Number(number), feature, state, proofs, missing }
}

function readProof(cell: string): Proof | undefined {
  const [, file, title] = cell.match(/^test: `([^`]+\.test\.ts)`: (.+)$/) ?? []
  if (file !== undefined && title !== undefined) return { type: 'test', file, title }
  const [, command, output] = cell.match(/^run: `(bardo [^`]+)` prints `([^`]+)`$/) ?? []
  if (command !== undefined && output !== undefined) return { type: 'run', command, output }
  const [, link] = cell.match(/^page: \[[^\]]+\]\(([^)]+)\)$/) ?? []
  return link === undefined ? undefined : { type: 'page', link }
}
