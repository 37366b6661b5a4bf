import { cpSync } from 'node:fs'
import { access, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'

const modules = join(import.meta.dirname, '../../../../node_modules')
const cache = join(modules, '.cache/bardo')

/**
 * Copies an empty database into a data folder. Creating one takes four seconds, a copy a tenth of a second.
 */
export async function copyEmptyPglite(home: string): Promise<void> {
  const source = await emptyPglite()
  // The asynchronous copy takes nine times as long: the folder has a thousand small files.
  cpSync(source, join(home, 'db'), { recursive: true })
}

/** The folder of an empty database, which is created once for all tests. */
export async function emptyPglite(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(modules, '@electric-sql/pglite/package.json'), 'utf8'))
  const path = join(cache, `empty-pglite-${version}`)
  if (await exists(path)) return path
  await mkdir(cache, { recursive: true })
  const draft = await mkdtemp(join(cache, 'draft-'))
  const pglite = await PGlite.create({ dataDir: join(draft, 'db') })
  // Two thirds of the files are templates for further databases, of which there are none. Copies take a third of the time.
  await pglite.exec('UPDATE pg_database SET datistemplate = false')
  for (const name of ['template0', 'template1']) await pglite.exec(`DROP DATABASE ${name}`)
  await pglite.exec('CHECKPOINT')
  await pglite.close()
  // If several processes create one, the first is kept.
  await rename(join(draft, 'db'), path).catch(() => {})
  await rm(draft, { recursive: true, force: true })
  return path
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
