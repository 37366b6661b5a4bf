import { chmod, cp, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openStore } from '../openStore.ts'
import { emptyPglite } from '../testing/emptyPglite.ts'
import { startStoreProcess } from '../testing/startStoreProcess.ts'
import { systemClock } from '../testing/systemClock.ts'

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'bardo-pglite-'))
})
afterEach(() => rm(home, { recursive: true, force: true }))

it('a folder that cannot be written to is told as one error', async () => {
  await writeFile(join(home, 'file'), '')
  const opening = openStore({ home: join(home, 'file'), clock: systemClock })
  await expect(opening).rejects.toMatchObject({ code: 'STORE_UNWRITABLE' })
})

it('a damaged database is told as one error, and the folder is free again', async () => {
  await cp(await emptyPglite(), join(home, 'db'), { recursive: true })
  await writeFile(join(home, 'db/global/pg_control'), 'what')
  for (const _ of ['first', 'again']) {
    const opening = openStore({ home, clock: systemClock })
    await expect(opening).rejects.toMatchObject({ code: 'STORE_CORRUPT' })
  }
}, 60_000)

it('a write that the disk does not take is refused, those after it too, and what was stored is there', async () => {
  await cp(await emptyPglite(), join(home, 'db'), { recursive: true })
  // The log of a database is 16 MB long: it cannot be written to its end.
  const writer = startStoreProcess({ home }, 'append', { fileKilobytes: 8 * 1_024 })
  await writer.said((line) => line === 'closed')
  expect(writer.lines.slice(-3)).toEqual(['refused STORE_UNWRITABLE', 'refused STORE_UNWRITABLE', 'closed'])
  await using store = await openStore({ home, clock: systemClock })
  expect(await store.audit.verify()).toMatchObject({ is: 'intact', events: Number(writer.lines.at(-4)) })
}, 120_000)

it('nobody else may look into the database, be the folder around it open to all', async () => {
  await chmod(home, 0o755)
  await (await openStore({ home, clock: systemClock })).close()
  expect((await stat(join(home, 'db'))).mode & 0o777).toBe(0o700)
}, 60_000)
