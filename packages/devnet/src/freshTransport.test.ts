import { createPublicClient, http, type PublicClient } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshTransport } from './freshTransport.ts'
import { type Devnet, startDevnet } from './startDevnet.ts'

describe('a transport to a local chain', { timeout: 60_000 }, () => {
  let world: Devnet
  let client: PublicClient
  /** How far this clock is ahead of the machine's, in milliseconds. */
  let ahead = 0
  const now = () => Date.now() + ahead

  beforeAll(async () => {
    world = await startDevnet({ port: 0 })
    client = createPublicClient({
      chain: world.chain,
      transport: freshTransport(http(world.url), now),
      cacheTime: 0,
    })
  })
  afterAll(() => world?.stop())

  const height = () => world.client.getBlockNumber()
  const blockTime = async () => Number((await client.getBlock()).timestamp)
  async function pass(seconds: number): Promise<void> {
    ahead += seconds * 1_000
    await world.client.increaseTime({ seconds })
  }

  it('shows the current time after any period without transactions', async () => {
    for (const seconds of [61, 300, 86_400]) {
      await pass(seconds)
      const [asked, shown, answered] = [now(), await blockTime(), now()]
      expect(shown).toBeGreaterThan(asked / 1_000 - 3)
      expect(shown).toBeLessThan(answered / 1_000 + 3)
    }
  })

  it('mines one block for many simultaneous reads', async () => {
    await pass(60)
    const before = await height()
    const { address } = { address: world.addresses.usdc }
    await Promise.all(Array.from({ length: 20 }, () => client.call({ to: address, data: '0x313ce567' })))
    expect((await height()) - before).toBeLessThanOrEqual(2n)
    expect(await height()).toBeGreaterThan(before)
  })

  it('mines nothing without reads, or for a read of a specific block', async () => {
    const before = await height()
    await pass(3_600)
    await client.getBlock({ blockNumber: before })
    await client.getBlockNumber()
    await client.getTransactionCount({ address: world.accounts.owner })
    expect(await height()).toBe(before)
  })

  it('keeps working after the chain’s clock was moved forward', async () => {
    await world.warp(86_400)
    const first = await blockTime()
    await pass(61)
    expect((await blockTime()) - first).toBeGreaterThanOrEqual(60)
  })
})
