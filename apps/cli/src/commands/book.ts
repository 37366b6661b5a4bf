import type { Answer } from '../rpc/office.ts'
import type { Run } from '../terminal/command.ts'
import { table } from '../terminal/table.ts'
import { wrapLines } from '../terminal/wrapLines.ts'
import { askOffice } from './askOffice.ts'

/** An address must not be cut. */
const leastWidth = 160

/** `bardo book`. Exit code 1 if an entry is not what the chain has. */
export const book: Run = async (call) => {
  const shown = await askOffice(call, 'book', {})
  const { width } = call.terminal
  const { entries, lacks } = shown
  const withSources = call.options['sources'] === true
  const rows = entries.map((entry) => [
    entry.entry,
    entry.address,
    withSources ? (entry.source ?? origin(entry, shown)) : origin(entry, shown),
  ])
  const problems = entries.flatMap(({ problem }) => (problem === null ? [] : [problem]))
  return {
    data: shown,
    text: [
      table([['entry', 'address', 'source'], ...rows], Math.max(width, leastWidth)),
      ...(problems.length > 0
        ? ['', 'Not what the chain has:', ...problems.map((line) => wrapLines(`  ${line}`, width))]
        : []),
      ...(lacks ? ['', wrapLines([lacks.what, lacks.remedy].filter(Boolean).join(' '), width)] : []),
    ].join('\n'),
    exit: problems.length > 0 || lacks ? 1 : 0,
  }
}

function origin({ isVerified, source }: Answer<'book'>['entries'][number], { isLocal }: Answer<'book'>) {
  if (!isVerified) return 'not verified'
  return source === null && isLocal ? 'local chain' : 'built in'
}
