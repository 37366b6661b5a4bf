/** The parts of vitest's JSON report that are read here. */
export type TestReport = {
  readonly testResults: readonly {
    readonly name: string
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[]
  }[]
}

/**
 * What the last reports say about a test: it passed, it failed, or they do not have it. A title with
 * placeholders, such as `%s`, stands for all of its cases, and passes if all of them passed.
 */
export function testResult(
  reports: readonly TestReport[],
  { file, title }: { readonly file: string; readonly title: string },
): 'passed' | 'failed' | 'not run' {
  const pattern = new RegExp(`^${title.split(placeholder).map(escaped).join('[^]*')}$`)
  const cases = reports
    .flatMap(({ testResults }) => testResults)
    .filter(({ name }) => name.endsWith(`/${file}`))
    .flatMap(({ assertionResults }) => assertionResults.filter((one) => pattern.test(one.title)))
  if (cases.length === 0) return 'not run'
  return cases.every(({ status }) => status === 'passed') ? 'passed' : 'failed'
}

const placeholder = /%[a-zA-Z#]|\$\{[^}]*\}|\$[a-zA-Z]\w*/

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
