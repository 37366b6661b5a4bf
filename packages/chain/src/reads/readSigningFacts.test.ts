import { type Devnet, startDevnet } from '@bardo/devnet'
import { zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readDecimals, readFloors } from './readSigningFacts.ts'

describe('reads before an owner signs', () => {
  let world: Devnet
  beforeAll(async () => {
    world = await startDevnet({ port: 0 })
  })
  afterAll(() => world?.stop())

  it('return the decimals of tokens and price feeds, and omit contracts that do not answer', async () => {
    const { usdc, weth, wethFeed } = world.addresses
    const { owner } = world.accounts
    const decimals = await readDecimals(world.client, [
      { token: usdc, feed: zeroAddress },
      { token: weth, feed: wethFeed },
      { token: owner, feed: owner },
    ])
    expect([usdc, weth, owner].map(decimals.token)).toEqual([6, 18, undefined])
    expect([zeroAddress, wethFeed, owner].map(decimals.feed)).toEqual([undefined, 8, undefined])
  })

  it('use 99 % of a vault’s rate as its floor', async () => {
    const { usdcVault } = world.addresses
    expect(await readFloors(world.client, [usdcVault])).toEqual([
      { vault: usdcVault, floor: 990_000_000_000_000_000n },
    ])
  })
})
