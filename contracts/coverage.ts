import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { forgeBinary } from './forgeBinary.ts'
import { coverageReport, parseLcov, percent } from './lineCoverage.ts'

const root = import.meta.dirname
const report = 'out/lcov.info'

/** The minimum percentage of lines of `src/` that tests must run. */
const mark = 95

/** forge's coverage does not find imports outside its root; a link inside counts as inside. */
const libraries = {
  'forge-std/': 'node_modules/@layerzerolabs/toolbox-foundry/lib/forge-std',
  '@openzeppelin/contracts/': 'node_modules/@openzeppelin/contracts',
}

/**
 * Runs the tests again with line counts, prints the share of lines that ran, and returns whether it is
 * enough.
 */
export function checkCoverage(): boolean {
  // If this run fails, an earlier report must not be read instead.
  rmSync(join(root, report), { force: true })
  const { status, stdout, stderr } = spawnSync(
    forgeBinary(),
    [
      'coverage',
      ...['--report', 'lcov', '--report-file', report],
      // Separate from the tests' artifacts: coverage compiles without the optimizer and removes its output.
      ...['--out', 'out/coverage', '--cache-path', 'out/coverage/cache'],
      ...['--lib-paths', 'out/lib'],
      ...linkLibraries().flatMap((remapping) => ['--remappings', remapping]),
    ],
    {
      cwd: root,
      encoding: 'utf8',
      // Few runs reach the same lines as a thousand. The Cage is compiled from source: deployed bytecode
      // counts no lines.
      env: {
        ...process.env,
        BARDO_CAGE: 'source',
        FOUNDRY_FUZZ_RUNS: '16',
        FOUNDRY_INVARIANT_RUNS: '2',
        FOUNDRY_INVARIANT_DEPTH: '32',
      },
    },
  )
  if (status !== 0) {
    console.error(`${stdout}${stderr}`.split('\n').slice(-40).join('\n'))
    return false
  }
  const files = parseLcov(readFileSync(join(root, report), 'utf8')).filter(({ file }) =>
    file.startsWith('src/'),
  )
  console.log(coverageReport(files, mark))
  if (files.length > 0 && percent(files) >= mark) return true
  console.error(`Line coverage is too low: at least ${mark} % of the lines must run.`)
  return false
}

function linkLibraries(): string[] {
  mkdirSync(join(root, 'out/lib'), { recursive: true })
  return Object.entries(libraries).map(([name, folder]) => {
    const link = `out/lib/${name.replaceAll(/\W/g, '')}`
    if (!existsSync(join(root, link))) symlinkSync(join('../../..', folder), join(root, link))
    return `${name}=${link}/`
  })
}
