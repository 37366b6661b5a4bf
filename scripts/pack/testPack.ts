/**
 * Installs the packed packages into an empty project outside the repository, checks their declarations, and
 * runs the first example on Node 20 and on Node 24. `npm run test:pack`
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { builtPackages, repository } from './builtPackages.ts'
import { packPackages } from './packPackages.ts'
import { publishedManifest } from './publishedManifest.ts'

const compilerOptions = {
  target: 'es2023',
  lib: ['es2024', 'esnext.disposable'],
  module: 'nodenext',
  types: ['node'],
  strict: true,
  skipLibCheck: false,
}

const project = mkdtempSync(join(tmpdir(), 'bardo-pack-'))
// The packages must find their own dependencies, not those of the repository.
const env = {
  ...process.env,
  PATH: (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .join(delimiter),
  DO_NOT_TRACK: '1',
}

const nodes = [findNode(20), findNode(24)]
step('build', process.execPath, [join(repository, 'scripts/pack/build.ts')], {
  cwd: repository,
  env: process.env,
})
const tarballs = packPackages(join(project, 'tarballs'))
writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }\n')
const others = ['viem', '@types/node'].map((name) => `${name}@${installedVersion(name)}`)
step('install', 'npm', ['install', '--no-audit', '--no-fund', ...tarballs.values(), ...others])

copyFileSync(join(repository, 'examples/first-delegation.ts'), join(project, 'first-delegation.ts'))
writeFileSync(join(project, 'exports.ts'), everyExport())
writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
checkTypes()

for (const { node, version } of nodes) {
  step(`every export on Node ${version}`, node, ['exports.js'])
  const printed = step(`first example on Node ${version}`, node, ['first-delegation.js'])
  for (const expected of ['$30 swapped in 0x', 'SpendLimitExceeded(', 'CannotUseADisabledDelegation()'])
    if (!printed.includes(expected))
      fail(`The example on Node ${version} did not print "${expected}".`, printed)
}
rmSync(project, { recursive: true, force: true })

/** Runs a command in the project. Ends the process if it fails. */
function step(
  name: string,
  command: string,
  args: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv } = { cwd: project, env },
): string {
  const started = performance.now()
  const { status, stdout, stderr, error } = spawnSync(command, args, { ...options, encoding: 'utf8' })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  if (status !== 0) fail(`✗ ${name} (${seconds} s)`, `${error ?? ''}${stdout}${stderr}`)
  console.log(`✓ ${name} (${seconds} s)`)
  return stdout
}

/**
 * Compiles the project and checks the declarations of our packages too. Errors of other packages do not
 * count.
 */
function checkTypes(): void {
  const started = performance.now()
  const tsc = join(repository, 'node_modules/.bin/tsc')
  const { stdout } = spawnSync(tsc, ['--pretty', 'false'], { cwd: project, env, encoding: 'utf8' })
  const errors = stdout.split('\n').filter((line) => /\berror TS\d+/.test(line))
  const ours = errors.filter((line) => !/^node_modules\/(?!@bardo\/)/.test(line))
  if (ours.length > 0) fail('✗ declarations', ours.join('\n'))
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const others = errors.length > 0 ? `; ${errors.length} errors in declarations of other packages` : ''
  console.log(`✓ declarations (${seconds} s)${others}`)
}

/** A module that imports every export of every package. */
function everyExport(): string {
  const paths = builtPackages().flatMap(({ manifest }) =>
    Object.keys(publishedManifest(manifest).exports).map((path) => join(manifest.name, path)),
  )
  const imports = paths.map((path, index) => `import * as part${index} from '${path}'`)
  const parts = paths.map((_, index) => `part${index}`)
  return `${imports.join('\n')}\nfor (const part of [${parts.join(', ')}]) if (Object.keys(part).length === 0) throw new Error('An export is empty.')\n`
}

function installedVersion(name: string): string {
  const manifest = readFileSync(join(repository, 'node_modules', name, 'package.json'), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}

/**
 * The Node of a major version: `BARDO_NODE_20`, the one on the PATH, or the npm package `node` of this
 * repository.
 */
function findNode(major: number): { readonly node: string; readonly version: string } {
  const onPath = env.PATH.split(delimiter).map((folder) => join(folder, 'node'))
  const own = join(repository, 'node_modules/.bin/node')
  const name = `BARDO_NODE_${major}`
  for (const node of [process.env[name], ...onPath, own]) {
    if (!node) continue
    const { status, stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' })
    if (status === 0 && stdout.startsWith(`v${major}.`)) return { node, version: stdout.trim().slice(1) }
  }
  return fail(`Node ${major} is not installed.`, `Install it, or set ${name} to its path.`)
}

function fail(message: string, details: string): never {
  console.error(`${message}\n${details.trim()}`)
  rmSync(project, { recursive: true, force: true })
  process.exit(1)
}
