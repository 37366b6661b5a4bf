/** Builds JavaScript and declarations of every published package, into its `dist`. `npm run build` */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { builtPackages, repository } from './builtPackages.ts'
import { publishedManifest } from './publishedManifest.ts'

const out = join(repository, 'build/out')
rmSync(out, { recursive: true, force: true })
const { status } = spawnSync('tsc', ['-p', 'tsconfig.build.json'], { cwd: repository, stdio: 'inherit' })
if (status !== 0) process.exit(status ?? 1)

// tsc rewrites only the imports of JavaScript. In declarations, older compilers do not resolve `./x.ts` to
// `./x.d.ts`.
for (const file of globSync('**/*.d.ts', { cwd: out })) {
  const text = readFileSync(join(out, file), 'utf8')
  writeFileSync(
    join(out, file),
    text.replace(/((?:from |import\()['"]\.{1,2}\/[^'"]+)\.ts(['"])/g, '$1.js$2'),
  )
}

const missing: string[] = []
for (const { folder, source, manifest } of builtPackages()) {
  const dist = join(repository, folder, 'dist')
  rmSync(dist, { recursive: true, force: true })
  cpSync(join(out, source), dist, { recursive: true })
  for (const [path, { types, default: code }] of Object.entries(publishedManifest(manifest).exports))
    for (const file of [types, code])
      if (!existsSync(join(repository, folder, file))) missing.push(`${manifest.name} ${path}: ${file}`)
}
rmSync(out, { recursive: true })
if (missing.length > 0) {
  console.error(
    `Not built: ${missing.join(', ')}. Add the source of each export to "include" in tsconfig.build.json.`,
  )
  process.exitCode = 1
}
