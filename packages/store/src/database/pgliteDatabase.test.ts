import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openStore } from '../openStore.ts'
import { copyEmptyPglite } from '../testing/emptyPglite.ts'
import { startStoreProcess } from '../testing/startStoreProcess.ts'
import { systemClock } from '../testing/systemClock.ts'

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'bardo-pglite-'))
})
afterEach(() => rm(home, { recursive: true, force: true }))

it('reports a folder that is not writable as STORE_UNWRITABLE', async () => {
  await writeFile(join(home, 'file'), '')
  const opening = openStore({ home: join(home, 'file'), clock: systemClock })
  await expect(opening).rejects.toMatchObject({ code: 'STORE_UNWRITABLE' })
})

it('reports a damaged database as STORE_CORRUPT and releases the folder', async () => {
  await copyEmptyPglite(home)
  await writeFile(join(home, 'db/global/pg_control'), 'garbage')
  for (const _ of ['first', 'again']) {
    const opening = openStore({ home, clock: systemClock })
    await expect(opening).rejects.toMatchObject({ code: 'STORE_CORRUPT' })
  }
}, 60_000)

it('refuses writes after a failed disk write, and keeps what was stored', async () => {
  await copyEmptyPglite(home)
  // The write-ahead log is 16 MB long, so it cannot be written completely.
  const writer = startStoreProcess({ home }, 'append', { fileKilobytes: 8 * 1_024 })
  await writer.printed((line) => line === 'closed')
  expect(writer.lines.slice(-3)).toEqual(['refused STORE_UNWRITABLE', 'refused STORE_UNWRITABLE', 'closed'])
  await using store = await openStore({ home, clock: systemClock })
  expect(await store.audit.verify()).toMatchObject({ type: 'intact', events: Number(writer.lines.at(-4)) })
}, 120_000)

it('creates the database folder with mode 0700, whatever the mode of its parent', async () => {
  await chmod(home, 0o755)
  await (await openStore({ home, clock: systemClock })).close()
  expect((await stat(join(home, 'db'))).mode & 0o777).toBe(0o700)
}, 60_000)
