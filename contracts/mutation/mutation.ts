/**
 * Switches off every guard of `contracts/src`, one at a time, and runs the Solidity tests: a guard whose loss no test
 * notices is a guard without a test. Prints the survivors and the share of guards that are covered.
 *
 *   npm run test:mutation                       all guards; results of unchanged sources and tests are kept
 *   npm run test:mutation -- --only Actions     mutants whose file or function contains "Actions"
 *   npm run test:mutation -- --count 50         at most 50 mutants that have no result yet
 *   npm run test:mutation -- --minutes 20       starts no further mutant after 20 minutes; the next run goes on from there
 *   npm run test:mutation -- --fresh            forgets earlier results
 *
 * Exits with 1 when less than 97 % of the guards are covered, when mutants are left to run, or when `equivalent.json` lists
 * a mutant that does not exist or that a test kills. The sources are compiled once (see `instrument.ts`), in
 * `out/mutation`. Fuzz and invariant counts are small: a guard needs a test that fails every time.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { forgeBinary } from '../forgeBinary.ts'
import { instrument, type Mutant, readingTheBlock } from './instrument.ts'
import { type Equivalent, type Outcome, percent, type Score, score } from './score.ts'
import '../protocols.ts'

const contracts = join(import.meta.dirname, '..')
const folder = join(contracts, 'out/mutation')
const resultsFile = join(folder, 'results.json')

/** The minimum percentage of guards that tests must cover. */
const mark = 97
/** A run that takes longer found a mutant that loops. */
const secondsPerMutant = 180

const settings = `[profile.default]
src = "src"
test = "test"
out = "out"
cache_path = "cache"
test_failures_file = "cache/test-failures"
libs = ["../../../node_modules"]
solc = "../../solc.cjs"
offline = true
evm_version = "prague"
optimizer = true
optimizer_runs = 1
bytecode_hash = "none"
cbor_metadata = false
fs_permissions = [{ access = "read", path = "./out/protocols" }, { access = "read", path = "../protocols" }]
remappings = [
  "forge-std/=../../../node_modules/@layerzerolabs/toolbox-foundry/lib/forge-std/",
  "@openzeppelin/contracts/=../../../node_modules/@openzeppelin/contracts/",
]
fuzz = { runs = 32, seed = "0x2026", failure_persist_dir = "cache/fuzz" }
invariant = { runs = 2, depth = 32, fail_on_revert = false, failure_persist_dir = "cache/invariant" }
lint = { lint_on_build = false }
`

/** One result. `tests` is the hash of the tests that it depends on: all of them, or the killing test. */
type Result = { readonly source: string; readonly tests: string; readonly killedBy?: string }

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    count: { type: 'string' },
    minutes: { type: 'string' },
    fresh: { type: 'boolean', default: false },
  },
})
process.exitCode = run() ? 0 : 1

function run(): boolean {
  const started = Date.now()
  const sources = read('src')
  const tests = new Map([...read('test'), ...read('devnet')])
  const mutants = writeCopy(sources, tests)
  const chosen = mutants.filter(({ file, where }) => `${file} ${where}`.includes(options.only ?? ''))
  const source = hash(...sources.values(), settings)
  const results = options.fresh ? {} : earlierResults()

  console.log(
    `${mutants.length} mutants, ${chosen.length} chosen. Compiling, and running the tests without a mutant …`,
  )
  const baseline = forge(0)
  if (baseline !== undefined) {
    console.error(`Without a mutant ${baseline} fails. Make the tests pass first.`)
    return false
  }

  const known = (mutant: Mutant) => {
    const result = results[mutant.key]
    return result?.source === source && result.tests === hashOfTests(tests, result.killedBy)
  }
  const open = chosen.filter((mutant) => !known(mutant))
  const planned = open.slice(0, options.count === undefined ? open.length : Number(options.count))
  const deadline = started + Number(options.minutes ?? Number.POSITIVE_INFINITY) * 60_000
  console.log(`${planned.length} mutants to run; ${chosen.length - open.length} have a result.`)
  for (const [index, mutant] of planned.entries()) {
    if (Date.now() > deadline) break
    const likely = likelyKillers(mutant, results)
    const killedBy = (likely.length > 0 ? forge(mutant.id, likely) : undefined) ?? forge(mutant.id)
    results[mutant.key] = {
      source,
      tests: hashOfTests(tests, killedBy),
      ...(killedBy !== undefined && { killedBy }),
    }
    writeFileSync(resultsFile, JSON.stringify(results, undefined, 1))
    if (killedBy === undefined) console.log(`${index + 1}/${planned.length} survived: ${shown(mutant)}`)
    else if ((index + 1) % 25 === 0) console.log(`${index + 1}/${planned.length}`)
  }

  const outcomes = chosen
    .filter(known)
    .map((mutant): Outcome => ({ mutant, killedBy: results[mutant.key]?.killedBy }))
  const equivalents: Equivalent[] = JSON.parse(
    readFileSync(join(import.meta.dirname, 'equivalent.json'), 'utf8'),
  )
  const result = score(outcomes, equivalents)
  const complete = outcomes.length === mutants.length
  report(result, outcomes, equivalents)
  if (outcomes.length < chosen.length)
    console.log(`${chosen.length - outcomes.length} mutants are left. Run the command again to continue.`)
  if (complete && result.mislisted.length > 0) {
    console.error('contracts/mutation/equivalent.json lists mutants that a test kills or that do not exist:')
    for (const key of result.mislisted) console.error(`  ${key}`)
    return false
  }
  if (percent(result) < mark) console.error(`At least ${mark} % of the guards need a test.`)
  return outcomes.length === chosen.length && percent(result) >= mark
}

function report(result: Score, outcomes: readonly Outcome[], equivalents: readonly Equivalent[]): void {
  const reasons = new Map(equivalents.map(({ mutant, reason }) => [mutant, reason]))
  const equivalent = outcomes.filter(
    ({ mutant, killedBy }) => killedBy === undefined && reasons.has(mutant.key),
  )
  if (equivalent.length > 0) console.log('\nEquivalent mutants:')
  for (const { mutant } of equivalent) console.log(`  ${shown(mutant)}\n      ${reasons.get(mutant.key)}`)
  if (result.survivors.length > 0)
    console.log('\nSurvivors, which need a test or a reason in equivalent.json:')
  for (const { mutant } of result.survivors) console.log(`  ${shown(mutant)}\n      key: ${mutant.key}`)
  // Rounded down: 96.96 % is not 97 %.
  const share = (Math.floor(percent(result) * 10) / 10).toFixed(1)
  console.log(
    `\nMutants: ${result.mutants}; killed ${result.killed}, survived ${result.survivors.length}, equivalent ${result.equivalent}.`,
  )
  console.log(`Guards: ${result.guards}; covered ${result.covered}, which is ${share} %.`)
}

function shown({ file, line, where, guard, change }: Mutant): string {
  return `${file}:${line} ${where}: ${guard} → ${change}`
}

/**
 * Test files to try first, for speed: the one that killed this mutant before, or two that killed others of
 * its file.
 */
function likelyKillers(mutant: Mutant, results: Readonly<Record<string, Result>>): string[] {
  const before = results[mutant.key]?.killedBy
  const others = Object.entries(results)
    .filter(([key]) => key.startsWith(`${mutant.file} `))
    .map(([, { killedBy }]) => killedBy)
  const files = (before === undefined ? others.reverse() : [before]).flatMap(
    (test) => test?.split(':')[0] ?? [],
  )
  return [...new Set(files)].filter((file) => existsSync(join(folder, file))).slice(0, 2)
}

/** Runs all tests, or those of some files, with one mutant or none (0). Returns the failed test. */
function forge(id: number, files: readonly string[] = []): string | undefined {
  // A failing input of an earlier mutant must not be replayed for this one: results would depend on the
  // order.
  for (const kept of ['fuzz', 'invariant'])
    rmSync(join(folder, 'cache', kept), { recursive: true, force: true })
  const { stdout, stderr, error, signal } = spawnSync(
    forgeBinary(),
    [
      ...['test', '--json', '--fail-fast', '--block-prevrandao', `0x${id.toString(16).padStart(64, '0')}`],
      ...(files.length > 0 ? ['--match-path', `{${files.join(',')}}`] : []),
    ],
    {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 1 << 30,
      // The first run compiles.
      timeout: (id === 0 ? 10 * secondsPerMutant : secondsPerMutant) * 1_000,
      env: { ...process.env, BARDO_CAGE: 'source', FOUNDRY_PROFILE: 'default' },
    },
  )
  if (signal === 'SIGTERM' && id !== 0) return `the time limit of ${secondsPerMutant} s`
  const line = stdout.split('\n').find((text) => text.startsWith('{'))
  if (error || line === undefined)
    throw new Error(`forge did not run the tests.\n${error ?? ''}${stdout}${stderr}`)
  const suites: Record<string, { test_results: Record<string, { status: string }> }> = JSON.parse(line)
  if (Object.keys(suites).length === 0) throw new Error('forge found no tests.')
  for (const [suite, { test_results }] of Object.entries(suites))
    for (const [test, { status }] of Object.entries(test_results))
      if (status === 'Failure') return `${suite} ${test}`
  return undefined
}

/** What a mutant's result depends on: its killing test with the helpers, or every test. */
function hashOfTests(tests: ReadonlyMap<string, string>, killedBy: string | undefined): string {
  const killer = killedBy?.split(':')[0]
  return hash(
    ...[...tests]
      .filter(([file]) => killer === undefined || file === killer || !file.endsWith('.t.sol'))
      .flat(),
  )
}

function hash(...texts: string[]): string {
  const sum = createHash('sha256')
  for (const text of texts) sum.update(`${text.length}:${text}`)
  return sum.digest('hex').slice(0, 32)
}

function earlierResults(): Record<string, Result> {
  return existsSync(resultsFile) ? JSON.parse(readFileSync(resultsFile, 'utf8')) : {}
}

/** The Solidity files of one folder, by path. */
function read(name: string): Map<string, string> {
  const files = globSync(`${name}/**/*.sol`, { cwd: contracts }).sort()
  return new Map(files.map((file) => [file, readFileSync(join(contracts, file), 'utf8')]))
}

/** Writes the copy to compile. Unchanged files are not written, or forge would compile them again. */
function writeCopy(sources: ReadonlyMap<string, string>, tests: ReadonlyMap<string, string>): Mutant[] {
  const mutants: Mutant[] = []
  const copy = new Map([['foundry.toml', settings]])
  for (const [file, text] of sources) {
    const instrumented = instrument(file, text, mutants.length + 1)
    copy.set(file, instrumented.text)
    mutants.push(...instrumented.mutants)
  }
  for (const [file, text] of tests) copy.set(file, file.startsWith('devnet') ? text : readingTheBlock(text))
  for (const file of globSync('{src,test,devnet}/**/*.sol', { cwd: folder }))
    if (!copy.has(file)) rmSync(join(folder, file))
  for (const [file, text] of copy) {
    const path = join(folder, file)
    if (existsSync(path) && readFileSync(path, 'utf8') === text) continue
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  mkdirSync(join(folder, 'out'), { recursive: true })
  if (!existsSync(join(folder, 'out/protocols')))
    symlinkSync('../../protocols', join(folder, 'out/protocols'))
  return mutants
}
