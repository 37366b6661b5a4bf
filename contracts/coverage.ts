import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { forgeBinary } from './forgeBinary.ts'
import { coverageReport, parseLcov, percent } from './lineCoverage.ts'

const root = import.meta.dirname
const report = 'out/lcov.info'

/** Per cent of the lines of `src/` that tests have to run. */
const mark = 95

/** forge's coverage does not find the imports of a library that lies outside its root; a link inside is inside. */
const libraries = {
  'forge-std/': 'node_modules/@layerzerolabs/toolbox-foundry/lib/forge-std',
  '@openzeppelin/contracts/': 'node_modules/@openzeppelin/contracts',
}

/** Runs the tests once more, counting lines; prints the share that ran, and says whether it is enough. */
export function checkCoverage(): boolean {
  // Whatever happens now, an earlier report is not the answer.
  rmSync(join(root, report), { force: true })
  const { status, stdout, stderr } = spawnSync(
    forgeBinary(),
    [
      'coverage',
      ...['--report', 'lcov', '--report-file', report],
      // Not where the tests' own artifacts are: coverage compiles without the optimizer, and cleans up behind itself.
      ...['--out', 'out/coverage', '--cache-path', 'out/coverage/cache'],
      ...['--lib-paths', 'out/lib'],
      ...linkLibraries().flatMap((remapping) => ['--remappings', remapping]),
    ],
    {
      cwd: root,
      encoding: 'utf8',
      // Lines that a thousand runs reach, a few reach too. The Cage is taken from source: what is built counts no lines.
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
  console.error(`At least ${mark} % of the lines have to run.`)
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
