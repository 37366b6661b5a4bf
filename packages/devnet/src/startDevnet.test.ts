import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { aggregatorProxy } from '@bardo/contracts'
import { type Address, erc20Abi, getAddress, parseAbi, parseEther, parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Devnet, startDevnet } from './startDevnet.ts'
import { poolAbi } from './uniswap/abis.ts'
import { devnetAccount, roles } from './world/accounts.ts'

const cacheFolder = mkdtempSync(join(tmpdir(), 'bardo-devnet-'))
afterAll(() => rmSync(cacheFolder, { recursive: true }))

describe('a built and a restored devnet', () => {
  let built: Devnet
  let restored: Devnet
  let began: number
  let buildMs: number

  beforeAll(async () => {
    began = Date.now()
    built = await startDevnet({ port: 0, cacheFolder })
    buildMs = Date.now() - began
    restored = await startDevnet({ port: 0, cacheFolder })
  })
  afterAll(async () => {
    await built.stop()
    await restored.stop()
  })

  it('are the same', () => {
    expect([built.restored, restored.restored]).toEqual([false, true])
    const { url: _, ...world } = built.description
    expect(restored.description).toMatchObject(world)
  })

  it('are ready in seconds, the second faster than the first', async () => {
    const restoreMs: number[] = []
    for (const _ of [1, 2, 3]) {
      const start = Date.now()
      await using _again = await startDevnet({ port: 0, cacheFolder })
      restoreMs.push(Date.now() - start)
    }
    // On a quiet machine a build takes two seconds. The best of three restores: other work on the machine can stop one.
    expect(buildMs).toBeLessThan(20_000)
    expect(Math.min(...restoreMs)).toBeLessThan(buildMs)
  })

  it.each(['built', 'restored'] as const)('%s: every address is checksummed and has code', async (which) => {
    const world = which === 'built' ? built : restored
    const all: Address[] = [
      ...Object.values(world.addresses),
      world.framework.SimpleFactory,
      ...Object.values(world.framework.implementations),
      ...Object.values(world.framework.caveatEnforcers),
    ]
    expect(all.length).toBeGreaterThan(50)
    for (const address of all) {
      expect(address).toBe(getAddress(address))
      expect(await world.client.getCode({ address }), address).toBeDefined()
    }
  })

  it.each(['built', 'restored'] as const)('%s: its clock shows the machine’s time', async (which) => {
    const world = which === 'built' ? built : restored
    const { timestamp } = await world.client.getBlock()
    expect(Number(timestamp)).toBeGreaterThan(began / 1_000 - 30)
    expect(Number(timestamp)).toBeLessThan(Date.now() / 1_000 + 30)
  })

  it.each(['built', 'restored'] as const)('%s: a TWAP over a day is available', async (which) => {
    const world = which === 'built' ? built : restored
    for (const pool of ['usdcWethPool', 'wbtcWethPool'] as const) {
      const secondsAgos = [23 * 3600, 1800, 0]
      const [ticks] = await world.client.readContract({
        address: world.addresses[pool],
        abi: poolAbi,
        functionName: 'observe',
        args: [secondsAgos],
      })
      expect(ticks).toHaveLength(3)
    }
  })
})

describe('a running devnet', () => {
  let world: Devnet
  beforeAll(async () => {
    world = await startDevnet({ port: 0, cacheFolder })
  })
  afterAll(() => world.stop())

  it('has the canonical contracts at their canonical addresses', async () => {
    expect(world.addresses).toMatchObject({
      entryPoint: '0x0000000071727De22E5E9d8BAf0edAc6f37da032',
      permit2: '0x000000000022D473030F116dDEE9F6B43aC78BA3',
      multicall3: '0xcA11bde05977b3631167028862bE2a173976CA11',
      weth: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
    })
    // The constructor ran: code set with `setCode` would have left these empty.
    expect(
      await world.client.readContract({
        address: world.addresses.weth,
        abi: erc20Abi,
        functionName: 'symbol',
      }),
    ).toBe('WETH')
  })

  it('answers many reads in one call through Multicall3', async () => {
    const names = await world.client.multicall({
      allowFailure: false,
      contracts: (['usdc', 'weth', 'wbtc'] as const).map((token) => ({
        address: world.addresses[token],
        abi: erc20Abi,
        functionName: 'decimals' as const,
      })),
    })
    expect(names).toEqual([6, 18, 8])
  })

  it('starts every account but the faucet with 10,000 ETH and nonce 0', async () => {
    for (const role of roles.filter((name) => name !== 'faucet')) {
      const { address } = devnetAccount(role)
      expect(world.accounts[role]).toBe(address)
      expect(await world.client.getBalance({ address })).toBe(parseEther('10000'))
      expect(await world.client.getTransactionCount({ address })).toBe(0)
    }
  })

  it('lets only the faucet mint its tokens', async () => {
    for (const token of ['usdc', 'wbtc'] as const)
      await expect(
        world.client.simulateContract({
          account: world.accounts.stranger,
          address: world.addresses[token],
          abi: parseAbi(['function mint(address to, uint256 value)', 'error NotMinter(address caller)']),
          functionName: 'mint',
          args: [world.accounts.stranger, 1n],
        }),
      ).rejects.toThrow('NotMinter')
  })

  it('moves time forward only', async () => {
    const { timestamp } = await world.client.getBlock()
    expect(await world.warp(3600)).toBeGreaterThanOrEqual(timestamp + 3600n)
    await expect(world.warp(-1)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    await expect(world.warp(0.5)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  })

  it('opens with WETH at 3,000 USDC and WBTC at 30 WETH', async () => {
    expect(await world.price('WETH/USDC')).toBe(parseUnits('3000', 6))
    // Uniswap rounds the square root of a price down.
    expect(parseEther('30') - (await world.price('WBTC/WETH'))).toBeLessThanOrEqual(1n)
  })

  it.each([
    ['WETH/USDC', parseUnits('2400', 6)],
    ['WETH/USDC', parseUnits('9000', 6)],
    ['WETH/USDC', parseUnits('3000', 6)],
    ['WBTC/WETH', parseEther('45')],
    ['WBTC/WETH', parseEther('12.5')],
  ] as const)('moves %s to %s, and the TWAP follows over time', async (pair, price) => {
    const pool = world.addresses[pair === 'WETH/USDC' ? 'usdcWethPool' : 'wbtcWethPool']
    const meanTick = async () => {
      const args = [[600, 0]] as const
      const [ticks] = await world.client.readContract({
        address: pool,
        abi: poolAbi,
        functionName: 'observe',
        args,
      })
      return Number(((ticks[1] ?? 0n) - (ticks[0] ?? 0n)) / 600n)
    }
    const before = await meanTick()
    expect(price - (await world.movePrice(pair, price))).toBeLessThanOrEqual(1n)
    expect(price - (await world.price(pair))).toBeLessThanOrEqual(1n)
    expect(Math.abs((await meanTick()) - before)).toBeLessThan(100)
    await world.warp(600)
    const [, spotTick] = await world.client.readContract({
      address: pool,
      abi: poolAbi,
      functionName: 'slot0',
    })
    expect(Math.abs((await meanTick()) - spotTick)).toBeLessThanOrEqual(1)
  })

  it('refuses a price of zero', async () => {
    await expect(world.movePrice('WETH/USDC', 0n)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  })

  it('has fresh price feeds that return posted prices', async () => {
    const read = async () => {
      const [, answer, , updatedAt] = await world.client.readContract({
        address: world.addresses.wethFeed,
        abi: aggregatorProxy.abi,
        functionName: 'latestRoundData',
      })
      return { answer, age: (await world.client.getBlock()).timestamp - updatedAt }
    }
    await using fresh = await startDevnet({ port: 0, cacheFolder })
    const [, , , updatedAt] = await fresh.client.readContract({
      address: fresh.addresses.usdcFeed,
      abi: aggregatorProxy.abi,
      functionName: 'latestRoundData',
    })
    expect((await fresh.client.getBlock()).timestamp - updatedAt).toBeLessThan(60n)
    await world.postPrice('WETH', 2_345_00000000n)
    expect(await read()).toEqual({ answer: 2_345_00000000n, age: 0n })
    await expect(world.postPrice('WETH', 0n)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  })

  it('adds funds to an account', async () => {
    const to = world.accounts.owner
    const balances = () =>
      Promise.all([
        world.client.getBalance({ address: to }),
        ...(['usdc', 'weth', 'wbtc'] as const).map((token) =>
          world.client.readContract({
            address: world.addresses[token],
            abi: erc20Abi,
            functionName: 'balanceOf',
            args: [to],
          }),
        ),
      ])
    const before = await balances()
    await world.fund(to, { ETH: 1n, USDC: 2n, WETH: 3n, WBTC: 4n })
    expect((await balances()).map((balance, index) => balance - (before[index] ?? 0n))).toEqual([
      1n,
      2n,
      3n,
      4n,
    ])
  })
})

describe('startDevnet', () => {
  it('builds again when the saved devnet is damaged', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bardo-devnet-'))
    await using first = await startDevnet({ port: 0, cacheFolder: folder })
    const [file = ''] = readdirSync(folder)
    const warnings: string[] = []
    const listen = (warning: Error) => warnings.push(warning.message)
    process.on('warning', listen)
    for (const damage of ['', JSON.stringify({ world: { addresses: first.addresses }, dump: '0x1f8b08' })]) {
      writeFileSync(join(folder, file), damage)
      await using again = await startDevnet({ port: 0, cacheFolder: folder })
      expect(again.restored).toBe(false)
      expect(again.addresses).toEqual(first.addresses)
    }
    await using repaired = await startDevnet({ port: 0, cacheFolder: folder })
    expect(repaired.restored).toBe(true)
    // An unreadable file counts as none; a dump that anvil refuses causes a warning.
    process.off('warning', listen)
    expect(warnings).toEqual([
      expect.stringMatching(/^The saved devnet cannot be restored and is built again\. ./),
    ])
    rmSync(folder, { recursive: true })
  })

  it('names the node that uses the port', async () => {
    await using world = await startDevnet({ port: 0, cacheFolder })
    const port = Number(new URL(world.url).port)
    await expect(startDevnet({ port, cacheFolder })).rejects.toMatchObject({
      code: 'PORT_TAKEN',
      details: [expect.stringMatching(/^anvil\/.* answers there\.$/)],
    })
  })

  it('reports that another process uses the port', async () => {
    const server = createServer((socket) => socket.end('HTTP/1.1 204 No Content\r\n\r\n'))
    const port = await new Promise<number>((resolve) =>
      server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
    )
    await expect(startDevnet({ port, cacheFolder })).rejects.toMatchObject({
      code: 'PORT_TAKEN',
      details: ['The process that listens there does not answer JSON-RPC.'],
    })
    server.close()
  })
})
