import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openStore } from '../openStore.ts'
import { copyEmptyPglite } from '../testing/emptyPglite.ts'
import { startStoreProcess } from '../testing/startStoreProcess.ts'
import { systemClock } from '../testing/systemClock.ts'
import { lockFolder } from './folderLock.ts'

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'bardo-lock-'))
})
afterEach(() => rm(home, { recursive: true, force: true }))

const lock = () => lockFolder(home, Date.now())

describe('the lock of a data folder', () => {
  it('refuses a second process, and passes on with all data once the first is killed', async () => {
    await copyEmptyPglite(home)
    const first = startStoreProcess({ home }, 'append')
    await first.printed((line) => Number(line) >= 100)
    const opening = openStore({ home, clock: systemClock })
    await expect(opening).rejects.toMatchObject({ code: 'STORE_LOCKED', retryable: false })
    await expect(opening).rejects.toThrow(
      new RegExp(`process ${first.child.pid} on ${hostname()}.*BARDO_HOME`, 's'),
    )
    await first.kill()
    const store = await openStore({ home, clock: systemClock })
    const report = await store.audit.verify()
    const unreported = report.type === 'intact' ? report.events - Number(first.lines.at(-1)) : undefined
    // One more event may be stored that the process could not report.
    expect([0, 1]).toContain(unreported)
    await store.close()
    expect(await readdir(home)).toEqual(['db'])
  }, 90_000)

  it('refuses the same process too', () => {
    const unlock = lock()
    expect(lock).toThrow(/in use/)
    unlock()
    lock()()
  })

  it('is taken over from a dead process whose pid was reused', async () => {
    const unlock = lock()
    const text = await readFile(join(home, 'db.lock'), 'utf8')
    unlock()
    await writeFile(join(home, 'db.lock'), JSON.stringify({ ...JSON.parse(text), born: 'another boot 1' }))
    lock()()
  })

  it('is kept if it belongs to another machine or is unreadable', async () => {
    const elsewhere = { pid: 999_999_999, host: 'elsewhere', lockedAt: 0 }
    for (const text of [JSON.stringify(elsewhere), 'garbage']) {
      await writeFile(join(home, 'db.lock'), text)
      expect(lock).toThrow(/delete .*db\.lock/)
    }
  })

  it('is not taken over by two processes that find the same stale lock', async () => {
    const dead = { pid: 999_999_999, host: hostname(), lockedAt: 0 }
    await writeFile(join(home, 'db.lock'), JSON.stringify(dead))
    await mkdir(join(home, 'db.lock.turn'))
    expect(lock).toThrow(/taking it over/)
    expect(JSON.parse(await readFile(join(home, 'db.lock'), 'utf8'))).toEqual(dead)
  })

  it('is not removed by a process that lost it', async () => {
    const unlock = lock()
    await writeFile(join(home, 'db.lock'), 'another lock')
    unlock()
    expect(await readFile(join(home, 'db.lock'), 'utf8')).toBe('another lock')
  })
})
