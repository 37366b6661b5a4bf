import { openContext } from '../context/openContext.ts'
import type { Settings } from '../context/settings.ts'
import { connectOffice } from './connectOffice.ts'
import { localOffice } from './localOffice.ts'
import type { Office } from './office.ts'
import { socketPath } from './socketPath.ts'

/**
 * Connects to the process that holds the data folder, or opens the folder in this process. With a database server, every
 * process opens the database itself.
 */
export async function openOffice(settings: Settings): Promise<Office> {
  const there = settings.databaseUrl ? undefined : await connectOffice(socketPath(settings.home))
  if (there) settings.noteUnusedRpc?.()
  return there ?? localOffice(await openContext(settings))
}
