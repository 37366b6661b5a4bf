import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { emptyPglite } from '@bardo/store/testing/pglite'
import { testHome } from './golemWorld.ts'

/** A folder with an empty database, which is copied: making one takes seconds. It goes at the end. */
export async function emptyHome(): ReturnType<typeof testHome> {
  const folder = await testHome()
  await cp(await emptyPglite(), join(folder.home, 'db'), { recursive: true })
  return folder
}
