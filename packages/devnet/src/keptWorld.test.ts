import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bytesToHex } from 'viem'
import { afterAll, describe, expect, it } from 'vitest'
import { devnetBook } from './devnetBook.ts'
import { type KeptWorld, readKeptWorld, writeKeptWorld } from './keptWorld.ts'
import { fingerprint } from './savedState.ts'
import { startDevnet } from './startDevnet.ts'

describe('a stored devnet', { timeout: 60_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'bardo-kept-'))
  const file = join(folder, 'world.json')
  afterAll(() => rmSync(folder, { recursive: true }))

  function readKept(): KeptWorld {
    const result = readKeptWorld(file)
    if (result.type !== 'kept') throw new Error(JSON.stringify(result))
    return result.kept
  }

  it('continues from its state, at the current time', async () => {
    await using first = await startDevnet({ port: 0 })
    await first.fund(first.accounts.stranger, { USDC: 5n })
    const nonce = await first.client.getTransactionCount({ address: first.accounts.faucet })
    writeKeptWorld(file, await first.keep())
    await first.stop()
    await using again = await startDevnet({ port: 0, kept: readKept() })
    expect(again.restored).toBe(true)
    expect(await again.client.getTransactionCount({ address: again.accounts.faucet })).toBeGreaterThanOrEqual(
      nonce,
    )
    const { timestamp } = await again.client.getBlock()
    expect(Math.abs(Number(timestamp) - Date.now() / 1_000)).toBeLessThan(30)
  })

  it('opens at a given time, and its clock continues from there', async () => {
    const kept = readKept()
    const openAt = Date.now() + 90 * 86_400_000
    await using later = await startDevnet({ port: 0, kept, openAt })
    await later.client.mine({ blocks: 1 })
    const { timestamp } = await later.client.getBlock()
    expect(Math.abs(Number(timestamp) - openAt / 1_000)).toBeLessThan(30)
  })

  it('is usable if other sources wrote it', async () => {
    const whole = readFileSync(file, 'utf8')
    const older: KeptWorld = JSON.parse(whole.replace(fingerprint(), '0123456789abcdef'))
    writeKeptWorld(file, older)
    expect(readKeptWorld(file)).toMatchObject({ type: 'kept' })
    writeFileSync(file, whole)
  })

  it('gets those of Bardo’s contracts that it lacks, and keeps them', async () => {
    const { world, ...kept } = readKept()
    const { cageEnforcer: address, golemVitals } = world.addresses
    await using older = await startDevnet({ port: 0, kept: { ...kept, world } })
    await older.client.setCode({ address, bytecode: '0x' })
    await older.client.setNonce({ address, nonce: 0 })
    // Version 0.1 had the contract at another address.
    const addresses = { ...world.addresses, cageEnforcer: older.accounts.stranger }
    writeKeptWorld(file, { ...(await older.keep()), world: { ...world, addresses } })
    await using opened = await startDevnet({ port: 0, kept: readKept() })
    expect(opened.addresses).toMatchObject({ cageEnforcer: address, golemVitals })
    expect(await opened.client.getCode({ address })).toBeDefined()
    const again = await opened.keep()
    expect(again.world.addresses.cageEnforcer).toBe(address)
    await using reopened = await startDevnet({ port: 0, kept: again })
    const factory = { address: reopened.addresses.create2Deployer }
    expect(await reopened.client.getTransactionCount(factory)).toBe(
      await opened.client.getTransactionCount(factory),
    )
  })

  it('is not usable without a third-party contract, which is named', async () => {
    const whole = readFileSync(file, 'utf8')
    const { world, ...kept } = readKept()
    const { quoterV2: _, ...addresses } = world.addresses
    writeFileSync(file, JSON.stringify({ ...kept, world: { ...world, addresses } }))
    expect(readKeptWorld(file)).toEqual({ type: 'unusable', because: 'it lacks contracts: quoterV2' })
    const caveatEnforcers = {
      ...world.framework.caveatEnforcers,
      NonceEnforcer: world.framework.DelegationManager.replace('0xdb', '0xdc'),
    }
    writeFileSync(
      file,
      JSON.stringify({ ...kept, world: { ...world, framework: { ...world.framework, caveatEnforcers } } }),
    )
    expect(readKeptWorld(file)).toEqual({ type: 'unusable', because: 'it lacks contracts: NonceEnforcer' })
    writeFileSync(file, whole)
  })

  it('is usable without a publishing contract, which earlier versions did not have', () => {
    const whole = readFileSync(file, 'utf8')
    const { world, ...kept } = readKept()
    const { publicOracle: _, ...addresses } = world.addresses
    writeFileSync(file, JSON.stringify({ ...kept, world: { ...world, addresses } }))
    const found = readKeptWorld(file)
    expect(found.type).toBe('kept')
    if (found.type === 'kept') expect(devnetBook(found.kept.world).publishers).toBeUndefined()
    expect(devnetBook(world).publishers?.has('ORACLE')).toBe(true)
    writeFileSync(file, whole)
  })

  it('is "none" without a file, and "unusable" if the file is damaged', async () => {
    expect(readKeptWorld(join(folder, 'nothing.json'))).toEqual({ type: 'none' })
    const whole = readFileSync(file, 'utf8')
    const damaged = { type: 'unusable', because: 'its file is damaged' }
    for (const text of [whole.slice(0, -10), 'null', JSON.stringify({ ...JSON.parse(whole), world: {} })]) {
      writeFileSync(file, text)
      expect(readKeptWorld(file)).toEqual(damaged)
    }
    const kept: KeptWorld = JSON.parse(whole)
    writeFileSync(file, JSON.stringify({ ...kept, dump: '0x1234' }))
    expect(readKeptWorld(file)).toEqual(damaged)
  })

  it('drops only old empty blocks, so that an idle devnet does not grow', async () => {
    await using world = await startDevnet({ port: 0 })
    await world.fund(world.accounts.stranger, { USDC: 7n })
    const paid = await world.client.getBlockNumber()
    const before = (await world.keep()).dump.length
    for (let mined = 0; mined < 500; mined += 100) await world.client.mine({ blocks: 100, interval: 15 })
    const { hash } = await world.client.getBlock()
    const kept = await world.keep()
    const growth = kept.dump.length - before
    for (let mined = 0; mined < 200; mined += 100) await world.client.mine({ blocks: 100, interval: 15 })
    expect((await world.keep()).dump.length - before).toBeLessThan(growth * 1.1)
    await using again = await startDevnet({ port: 0, kept, openAt: Date.now() + 2 * 86_400_000 })
    const { transactions } = await again.client.getBlock({ blockNumber: paid })
    expect(transactions).toHaveLength(1)
    expect(await again.client.getTransactionReceipt({ hash: transactions[0] ?? '0x' })).toMatchObject({
      blockNumber: paid,
    })
    expect(await again.client.getBlock({ blockHash: hash })).toMatchObject({ hash })
    await expect(again.client.getBlock({ blockNumber: paid + 9n })).rejects.toThrow('could not be found')
    expect(await again.client.getLogs({ fromBlock: paid - 1n, toBlock: 'latest' })).not.toEqual([])
  })

  it('is stored and restored if its dump is larger than ten megabytes', async () => {
    await using world = await startDevnet({ port: 0 })
    const address = world.accounts.stranger
    // Random, so that it does not compress.
    const bytecode = bytesToHex(new Uint8Array(randomBytes(6_000_000)))
    await world.client.setCode({ address, bytecode })
    const kept = await world.keep()
    expect(kept.dump.length).toBeGreaterThan(10_485_760)
    await using again = await startDevnet({ port: 0, kept })
    expect((await again.client.getCode({ address }))?.length).toBe(bytecode.length)
  })

  it('is not replaced with a new one if it cannot be restored', async () => {
    await using world = await startDevnet({ port: 0 })
    const kept = await world.keep()
    await expect(startDevnet({ port: 0, kept: { ...kept, dump: '0x1234' } })).rejects.toMatchObject({
      code: 'ANVIL_FAILED',
    })
  })
})
