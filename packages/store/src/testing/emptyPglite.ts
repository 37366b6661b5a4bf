import { access, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'

const modules = join(import.meta.dirname, '../../../../node_modules')
const cache = join(modules, '.cache/bardo')

/** The folder of an empty database. Making one takes seconds, and a copy of it none, so that it is made once. */
export async function emptyPglite(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(modules, '@electric-sql/pglite/package.json'), 'utf8'))
  const path = join(cache, `pglite-${version}`)
  if (await exists(path)) return path
  await mkdir(cache, { recursive: true })
  const draft = await mkdtemp(join(cache, 'draft-'))
  const pglite = await PGlite.create({ dataDir: join(draft, 'db') })
  await pglite.close()
  // Of several who make one, the first one's is taken.
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
