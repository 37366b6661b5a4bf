import { openPlace } from '../place/openPlace.ts'
import type { Settings } from '../place/settings.ts'
import { connectOffice } from './connectOffice.ts'
import { localOffice } from './localOffice.ts'
import type { Office } from './office.ts'
import { socketPath } from './socketPath.ts'

/**
 * The office of a data folder: of the process that has it open, or else of this one. A database server is opened by
 * everybody.
 */
export async function openOffice(settings: Settings): Promise<Office> {
  const there = settings.databaseUrl ? undefined : await connectOffice(socketPath(settings.home))
  return there ?? localOffice(await openPlace(settings))
}
