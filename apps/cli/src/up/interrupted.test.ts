import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startInTerminal } from '../testing/pseudoTerminal.ts'
import { isEvent, startUp } from '../testing/startUp.ts'

describe('a first start that is interrupted', () => {
  let home: string
  beforeAll(() => {
    home = mkdtempSync(join(tmpdir(), 'bardo-interrupted-'))
  })
  afterAll(() => rmSync(home, { recursive: true, force: true }))

  it('leaves no half of a database while the world is built', async () => {
    const up = startUp(home)
    await expect.poll(() => existsSync(join(home, 'db')), { timeout: 50_000 }).toBe(true)
    up.signal('SIGINT')
    expect(await up.ended).toMatchObject({ exit: 0 })
    expect(readdirSync(home)).toEqual([])
  }, 60_000)

  it('waits for no summoning, leaves neither lock nor socket, and the next start goes on', async () => {
    using terminal = startInTerminal(['up', '--port', '0', '--home', home])
    await terminal.until((screen) => screen.includes('Making a key, signing'))
    terminal.type('\u0003')
    expect(await terminal.ended).toMatchObject({ exit: 0 })
    expect(terminal.bytes()).not.toContain('Bardo is up')
    expect(readdirSync(home).toSorted()).toEqual(['db', 'secret', 'world.json'])

    const again = startUp(home)
    await again.until(isEvent('golem.summoned'))
    await again.until(isEvent('action.landed'))
    again.signal('SIGINT')
    expect(await again.ended).toMatchObject({ exit: 0, stderr: expect.not.stringContaining('defect') })
  }, 90_000)
})
