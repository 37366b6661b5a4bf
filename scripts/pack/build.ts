/** Builds JavaScript and declarations of every published package, into its `dist`. `npm run build` */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { builtPackages, repository } from './builtPackages.ts'
import { publishedManifest } from './publishedManifest.ts'

const build = join(repository, 'build')
const out = join(build, 'out')
rmSync(out, { recursive: true, force: true })
mkdirSync(build, { recursive: true })

// tsc reads its files in parallel. It does not emit a file that it reaches first through another package, in
// node_modules, and still ends with 0. It emits every file that is named.
const files = tsc('-p', 'tsconfig.build.json', '--listFilesOnly')
  .split('\n')
  .filter((file) => file !== '' && !file.includes('node_modules'))
const config = join(build, 'tsconfig.json')
writeFileSync(config, JSON.stringify({ extends: '../tsconfig.build.json', include: [], files }))
tsc('-p', config)
rmSync(config)

// tsc rewrites only the imports of JavaScript. In declarations, older compilers do not resolve `./x.ts` to
// `./x.d.ts`.
for (const file of globSync('**/*.d.ts', { cwd: out })) {
  const text = readFileSync(join(out, file), 'utf8')
  writeFileSync(
    join(out, file),
    text.replace(/((?:from |import\()['"]\.{1,2}\/[^'"]+)\.ts(['"])/g, '$1.js$2'),
  )
}

const missing = files
  .map((file) => relative(repository, file).replace(/\.ts$/, ''))
  .flatMap((file) => [`${file}.js`, `${file}.d.ts`])
  .filter((file) => !existsSync(join(out, file)))
if (missing.length > 0) {
  console.error(`tsc did not emit ${missing.length} files: ${missing.join(', ')}.`)
  process.exit(1)
}

const absent: string[] = []
for (const { folder, source, manifest } of builtPackages()) {
  const dist = join(repository, folder, 'dist')
  rmSync(dist, { recursive: true, force: true })
  cpSync(join(out, source), dist, { recursive: true })
  for (const [path, { types, default: code }] of Object.entries(publishedManifest(manifest).exports))
    for (const file of [types, code])
      if (!existsSync(join(repository, folder, file))) absent.push(`${manifest.name} ${path}: ${file}`)
}
rmSync(out, { recursive: true })
if (absent.length > 0) {
  console.error(
    `Not built: ${absent.join(', ')}. Add the source of each export to "include" in tsconfig.build.json.`,
  )
  process.exitCode = 1
}

/** Runs the compiler in the repository and returns what it prints. Ends the process if it fails. */
function tsc(...args: readonly string[]): string {
  const { status, stdout } = spawnSync('tsc', args, {
    cwd: repository,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (status === 0) return stdout
  console.error(stdout)
  process.exit(status ?? 1)
}
