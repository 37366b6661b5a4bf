import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Manifest } from './publishedManifest.ts'

/** A published package. */
export type BuiltPackage = {
  /** From the repository’s root: `packages/core`. */
  readonly folder: string
  /** What `dist` mirrors: `packages/core/src`, or the folder itself. */
  readonly source: string
  readonly manifest: Manifest
}

export const repository = join(import.meta.dirname, '../..')

/** All published packages. */
export function builtPackages(): readonly BuiltPackage[] {
  return ['contracts/package.json', ...globSync('packages/*/package.json', { cwd: repository })]
    .map(dirname)
    .sort()
    .map((folder) => ({
      folder,
      source: folder === 'contracts' ? folder : join(folder, 'src'),
      manifest: JSON.parse(readFileSync(join(repository, folder, 'package.json'), 'utf8')) as Manifest,
    }))
}
