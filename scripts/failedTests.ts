import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

/** The parts of vitest's JSON report that are read here. */
type Report = {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message?: string
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly status: string
      readonly failureMessages?: readonly string[]
    }[]
  }[]
}

/** Longer messages are cut: the whole text is above, where vitest printed it. */
const mostLines = 12

/**
 * One block for each failed test of a JSON report of vitest: its file, its name and the first lines of its message.
 * A file that could not be loaded has a block of its own. A missing report has none.
 */
export function failedTests(reportPath: string, root: string): readonly string[] {
  return readReport(reportPath).testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name)
    const failed = assertionResults.filter((test) => test.status === 'failed')
    if (failed.length === 0)
      return status === 'failed' ? [block(file, 'cannot be loaded', message ?? '')] : []
    return failed.map((test) => block(file, test.fullName.trim(), test.failureMessages?.[0] ?? ''))
  })
}

function readReport(path: string): Report {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return { testResults: [] }
  }
}

function block(file: string, name: string, message: string): string {
  const lines = message.split('\n').filter((line) => line.trim() !== '' && !/^\s+at /.test(line))
  const shown = lines.slice(0, mostLines).map((line) => `  ${line}`)
  return [`FAILED: ${file}: ${name}`, ...shown].join('\n')
}
