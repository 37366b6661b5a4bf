import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readKeptWorld, writeKeptWorld } from './keptWorld.ts'
import { fingerprint } from './savedState.ts'
import { startDevnet } from './startDevnet.ts'

describe('a world that is kept', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bardo-kept-'))
  const file = join(folder, 'world.json')
  afterAll(() => rmSync(folder, { recursive: true }))

  it('goes on where it was, at the time that it is now', async () => {
    await using first = await startDevnet({ port: 0 })
    await first.fund(first.accounts.stranger, { USDC: 5n })
    const nonce = await first.client.getTransactionCount({ address: first.accounts.faucet })
    writeKeptWorld(file, await first.keep())
    await first.stop()
    const found = readKeptWorld(file)
    if (found.is !== 'kept') throw new Error(found.is)
    await using again = await startDevnet({ port: 0, kept: found.kept })
    expect(again.restored).toBe(true)
    expect(await again.client.getTransactionCount({ address: again.accounts.faucet })).toBeGreaterThanOrEqual(
      nonce,
    )
    const { timestamp } = await again.client.getBlock()
    expect(Math.abs(Number(timestamp) - Date.now() / 1_000)).toBeLessThan(30)
  })

  it('is none where there is no file, and unusable where it is damaged or of other contracts', () => {
    expect(readKeptWorld(join(folder, 'nothing.json'))).toEqual({ is: 'none' })
    const whole = readFileSync(file, 'utf8')
    writeFileSync(file, whole.slice(0, -10))
    expect(readKeptWorld(file)).toEqual({ is: 'unusable', because: 'its file is damaged' })
    writeFileSync(file, whole.replace(fingerprint(), '0123456789abcdef'))
    expect(readKeptWorld(file)).toEqual({ is: 'unusable', because: 'it is of another version of Bardo' })
    writeFileSync(file, 'null')
    expect(readKeptWorld(file)).toEqual({ is: 'unusable', because: 'its file is damaged' })
  })

  it('is not replaced by another where it cannot be restored', async () => {
    await using world = await startDevnet({ port: 0 })
    const kept = await world.keep()
    await expect(startDevnet({ port: 0, kept: { ...kept, dump: '0x1234' } })).rejects.toMatchObject({
      code: 'ANVIL_FAILED',
    })
  })
})
