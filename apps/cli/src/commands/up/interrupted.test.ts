import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startInTerminal } from '../../testing/pseudoTerminal.ts'
import type { BardoLine } from '../../testing/startBardo.ts'
import { isEvent, startUp } from '../../testing/startUp.ts'

describe('an interrupted first start', () => {
  let home: string
  beforeAll(() => {
    home = mkdtempSync(join(tmpdir(), 'bardo-interrupted-'))
  })
  afterAll(() => rmSync(home, { recursive: true, force: true }))

  it('leaves no partial database when it is interrupted during the start', async () => {
    const up = startUp(home)
    await expect.poll(() => existsSync(join(home, 'db')), { timeout: 50_000 }).toBe(true)
    up.signal('SIGINT')
    expect(await up.ended).toMatchObject({ exit: 0 })
    expect(readdirSync(home)).toEqual([])
  }, 60_000)

  it('does not wait for a summon, leaves no lock and no socket, and the next start continues', async () => {
    using terminal = startInTerminal(['up', '--port', '0', '--home', home])
    await terminal.until((screen) => screen.includes('Creating a key, signing'))
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

  it('stops within ten seconds while a transaction hangs, and the next start lands it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bardo-interrupted-'))
    const up = startUp(folder)
    const { url } = await up.until(({ type }) => type === 'ready')
    const { golem, sequence } = await up.until(isEvent('action.landed'))
    // Stop mining and move the clock by two minutes: the next trade stays in the pool.
    await rpc(`${url}`, 'evm_setAutomine', [false])
    await rpc(`${url}`, 'evm_increaseTime', [120])
    await rpc(`${url}`, 'evm_mine', [])
    const isNext = (line: BardoLine) =>
      isEvent('action.intended')(line) && Number(line['sequence']) > Number(sequence)
    await up.until(isNext)
    up.signal('SIGINT')
    // It ends by itself after five seconds: an end forced by the limit of nine seconds has another exit code.
    expect(await up.until(({ type }) => type === 'stopping')).toMatchObject({
      golems: [golem],
      stopMs: 5_000,
    })
    expect(await up.ended).toMatchObject({ exit: 0, stderr: expect.not.stringContaining('in time') })
    expect(readdirSync(folder).toSorted()).toEqual(['db', 'secret', 'world.json'])

    const again = startUp(folder)
    await again.until(isEvent('action.landed', `${golem}`))
    again.signal('SIGINT')
    expect(await again.ended).toMatchObject({ exit: 0 })
    rmSync(folder, { recursive: true, force: true })
  }, 120_000)
})

async function rpc(url: string, method: string, params: readonly unknown[]): Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const answer = await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
  expect(await answer.json()).not.toHaveProperty('error')
}
