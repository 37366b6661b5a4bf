/** Which lines of one file ran. */
export type FileCoverage = {
  readonly file: string
  readonly lines: number
  readonly missed: readonly number[]
}

/** Reads an lcov report: `SF:` starts a file, `DA:line,count` is an executable line and how often it ran. */
export function parseLcov(report: string): FileCoverage[] {
  return report
    .split('end_of_record')
    .map((record) => ({
      file: record.match(/^SF:(.+)$/m)?.[1] ?? '',
      counts: [...record.matchAll(/^DA:(\d+),(\d+)/gm)].map(([, line, count]) => [
        Number(line),
        Number(count),
      ]),
    }))
    .filter(({ counts }) => counts.length > 0)
    .map(({ file, counts }) => ({
      file,
      lines: counts.length,
      missed: counts.filter(([, count]) => count === 0).map(([line]) => line ?? 0),
    }))
}

/** The percentage of lines that ran. 100 if there are no lines. */
export function percent(files: readonly FileCoverage[]): number {
  const lines = files.reduce((sum, file) => sum + file.lines, 0)
  const missed = files.reduce((sum, file) => sum + file.missed.length, 0)
  return lines === 0 ? 100 : ((lines - missed) * 100) / lines
}

/** The report for a person: every file below the mark with the lines that never ran, and the total. */
export function coverageReport(files: readonly FileCoverage[], mark: number): string {
  const low = files.filter((file) => percent([file]) < mark)
  const width = Math.max(0, ...low.map(({ file }) => file.length))
  return [
    ...low.map((file) => `${file.file.padEnd(width)}  ${shown([file])}  never ran: ${ranges(file.missed)}`),
    `Line coverage of contracts/src: ${shown(files)}`,
  ].join('\n')
}

// Rounded down: 94.96 % is not 95 %.
const shown = (files: readonly FileCoverage[]) => `${(Math.floor(percent(files) * 10) / 10).toFixed(1)} %`

/** `3, 7-9` for 3, 7, 8 and 9. */
function ranges(lines: readonly number[]): string {
  const runs: [first: number, last: number][] = []
  for (const line of lines) {
    const last = runs.at(-1)
    if (last && last[1] === line - 1) last[1] = line
    else runs.push([line, line])
  }
  return runs.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(', ')
}
