import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { builtPackages, repository } from './builtPackages.ts'
import { publishedManifest } from './publishedManifest.ts'

/** Packs the output of `npm run build`. Returns the paths of the tarballs, by package name. */
export function packPackages(destination: string): ReadonlyMap<string, string> {
  mkdirSync(destination, { recursive: true })
  const tarballs = new Map<string, string>()
  for (const { folder, manifest } of builtPackages()) {
    const staged = join(repository, 'build/staged', folder)
    rmSync(staged, { recursive: true, force: true })
    mkdirSync(staged, { recursive: true })
    cpSync(join(repository, folder, 'dist'), join(staged, 'dist'), { recursive: true })
    cpSync(join(repository, 'LICENSE'), join(staged, 'LICENSE'))
    writeFileSync(join(staged, 'package.json'), `${JSON.stringify(publishedManifest(manifest), null, 2)}\n`)
    const { status, stdout, stderr } = spawnSync(
      'npm',
      ['pack', '--json', '--pack-destination', destination],
      {
        cwd: staged,
        encoding: 'utf8',
      },
    )
    if (status !== 0) throw new Error(`npm pack failed for ${manifest.name}: ${stderr}`)
    const [packed] = JSON.parse(stdout) as [{ filename: string }]
    tarballs.set(manifest.name, join(destination, packed.filename))
  }
  rmSync(join(repository, 'build/staged'), { recursive: true })
  return tarballs
}
