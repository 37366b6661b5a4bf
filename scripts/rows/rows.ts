/**
 * Proves docs/coverage.md: runs its commands in a temporary data folder with one local world, and looks its
 * tests up in the reports of the last `npm test`. Prints every proof that fails and everything that is not
 * built; fails if a proof fails.
 */
import { spawn, spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { checkedRows } from './checkRows.ts'
import type { Proof, Row } from './readRows.ts'
import { type TestReport, testResult } from './testResult.ts'
import { wordsOf } from './wordsOf.ts'

const root = join(import.meta.dirname, '../..')
const bardo = join(root, 'apps/cli/bin/bardo.js')
/** Where `npm test` writes its reports. */
const reportFiles = globSync(join(root, 'node_modules/.cache/bardo/tests/*.json'))

const { rows, problems } = checkedRows()
const reports = reportFiles.map((file): TestReport => JSON.parse(readFileSync(file, 'utf8')))
const hasCommands = rows.some(({ proofs }) => proofs.some(({ type }) => type === 'run'))
const home = mkdtempSync(join(tmpdir(), 'bardo-rows-'))
const env = { ...process.env, BARDO_HOME: home, DO_NOT_TRACK: '1', NO_COLOR: '1', COLUMNS: '200' }
const world = hasCommands ? await startWorld() : undefined
const printed = new Map<string, string>()
const failures = [
  ...problems.map((problem) => `docs/coverage.md: ${problem}`),
  ...(reports.length === 0 ? ['there is no test report; run npm test first'] : []),
  ...rows.flatMap(failuresOf),
]
await stopWorld()
rmSync(home, { recursive: true, force: true })

const named = (state: Row['state']) => rows.filter((row) => row.state === state)
for (const { number, feature, missing } of [...named('partly'), ...named('not built')])
  console.log(`${number} ${feature}: ${missing || 'not built'}`)
console.log(['', ...failures.map((failure) => `FAILED: ${failure}`)].join('\n'))
console.log(
  `${rows.length} rows: ${named('works').length} work, ${named('partly').length} partly, ${named('not built').length} not built; ${failures.length} proofs fail`,
)
if (failures.length > 0) process.exitCode = 1

function failuresOf({ number, feature, proofs }: Row): readonly string[] {
  return proofs.flatMap((proof) => {
    const failure = failureOf(proof)
    return failure === undefined ? [] : [`row ${number} (${feature}): ${failure}`]
  })
}

function failureOf(proof: Proof): string | undefined {
  switch (proof.type) {
    case 'page':
      return undefined
    case 'test': {
      if (reports.length === 0) return undefined
      const result = testResult(reports, proof)
      return result === 'passed' ? undefined : `${result}: ${proof.file}: ${proof.title}`
    }
    case 'run': {
      const output = outputOf(proof.command)
      return output.includes(proof.output)
        ? undefined
        : `\`${proof.command}\` does not print "${proof.output}":\n${output}`
    }
  }
}

/** Runs a command once, however many rows name it. */
function outputOf(command: string): string {
  const known = printed.get(command)
  if (known !== undefined) return known
  const [, ...words] = wordsOf(command)
  const { stdout, stderr } = spawnSync(process.execPath, [bardo, ...words], {
    cwd: root,
    env,
    encoding: 'utf8',
  })
  const output = `${stdout}${stderr}`
  printed.set(command, output)
  return output
}

/** Starts `bardo up` and waits for its first line about Alpha DCA: it is summoned and ticks. */
async function startWorld() {
  const child = spawn(process.execPath, [bardo, 'up', '--port', '0'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: child.stdout })) if (line.includes('Alpha DCA')) break
  child.stdout.resume()
  return child
}

async function stopWorld(): Promise<void> {
  if (!world || world.exitCode !== null) return
  const ended = new Promise((resolve) => world.once('exit', resolve))
  world.kill('SIGTERM')
  await ended
}
