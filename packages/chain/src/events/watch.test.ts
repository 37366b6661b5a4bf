import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { golemVitals } from '@bardo/contracts'
import { type Delegation, hashDelegation } from '@bardo/core'
import { type Devnet, startDevnet } from '@bardo/devnet'
import { DelegationManager } from '@metamask/delegation-abis'
import {
  type Address,
  createPublicClient,
  encodeFunctionData,
  type Hex,
  http,
  numberToHex,
  parseEther,
  RpcRequestError,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DelegationBench, openDelegationBench } from '../testing/delegationBench.ts'
import { createTestClock } from '../testing/fault.ts'
import { nodeAround } from '../testing/nodeAround.ts'
import { advance, type Cursor, readCursor } from './cursor.ts'
import { defaultWatchSettings, type Watched, type WatchOptions, watch } from './watch.ts'

let world: Devnet
let bench: DelegationBench
let first: bigint
beforeAll(async () => {
  world = await startDevnet({ port: 0 })
  bench = await openDelegationBench(world)
  await world.client.setBalance({ address: bench.account, value: parseEther('100') })
  await world.client.impersonateAccount({ address: bench.account })
  await world.client.impersonateAccount({ address: world.accounts.golem })
  first = (await world.client.getBlockNumber()) + 1n
})
afterAll(() => world?.stop())

const vitals = (functionName: 'setDreaming' | 'post', ...args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi: golemVitals.abi, functionName, args: [bench.golem, ...args] } as never)

async function send(account: Address, to: Address, data: Hex) {
  const hash = await world.client.sendTransaction({ account, to, data, gas: 1_000_000n })
  return world.client.waitForTransactionReceipt({ hash })
}
const dream = (dreaming: boolean) =>
  send(world.accounts.golem, world.addresses.golemVitals, vitals('setDreaming', dreaming))

function turn(functionName: 'disableDelegation' | 'enableDelegation', delegation: Delegation) {
  const args = [{ ...delegation, caveats: [...delegation.caveats] }] as const
  return send(
    bench.account,
    bench.manager,
    encodeFunctionData({ abi: DelegationManager, functionName, args }),
  )
}

/** Watches until the newest block, and returns what was emitted. */
async function catchUp(
  options: Partial<WatchOptions> & Pick<WatchOptions, 'from'>,
): Promise<readonly Watched[]> {
  const stop = new AbortController()
  const seen: Watched[] = []
  // The first wait for a new block means that the watch has caught up.
  let waits = 0
  const clock = createTestClock(async () => {
    waits += 1
    if (waits > (options.settings?.maxFailures ?? 0)) stop.abort()
  })
  for await (const one of watch({
    client: bench.client,
    deployment: bench.deployment,
    clock,
    signal: stop.signal,
    ...options,
  })) {
    seen.push(one)
  }
  return seen
}

const eventsIn = (seen: readonly Watched[]) => seen.flatMap((one) => (one.type === 'event' ? [one] : []))
const kindsIn = (seen: readonly Watched[]) => eventsIn(seen).map(({ event }) => event.type)
const placesIn = (seen: readonly Watched[]) =>
  eventsIn(seen).map(({ transactionHash, logIndex }) => `${transactionHash} ${logIndex}`)
const lastCursor = (seen: readonly Watched[]): Cursor =>
  readCursor(JSON.parse(JSON.stringify(seen.at(-1)?.cursor)))

describe('a watch', () => {
  it('emits every event in order, and only those that the filters select', async () => {
    const from = (await world.client.getBlockNumber()) + 1n
    const delegation = await bench.delegate([bench.cage()])
    await bench.redeem([{ links: [delegation], execution: bench.pay(1n) }])
    await turn('disableDelegation', delegation)
    await turn('enableDelegation', delegation)
    await dream(true)
    await dream(false)
    await send(world.accounts.golem, world.addresses.golemVitals, vitals('post', 1, 6_000))
    const owner = await world.client.readContract({
      address: bench.manager,
      abi: DelegationManager,
      functionName: 'owner',
    })
    await world.client.setBalance({ address: owner, value: parseEther('1') })
    await world.client.impersonateAccount({ address: owner })
    for (const functionName of ['pause', 'unpause'] as const) {
      await send(owner, bench.manager, encodeFunctionData({ abi: DelegationManager, functionName }))
    }
    const seen = await catchUp({ from })
    expect(kindsIn(seen)).toEqual([
      'redeemed',
      'disabled',
      'enabled',
      'dream',
      'dream',
      'phase',
      'paused',
      'unpaused',
    ])
    expect(eventsIn(seen).map(({ event }) => event)).toMatchObject([
      { rootDelegator: bench.account, redeemer: world.accounts.golem },
      {
        delegationHash: hashDelegation(delegation),
        delegator: bench.account,
        delegate: world.accounts.golem,
      },
      {},
      { golem: bench.golem, dreaming: true },
      {},
      { fromPhase: 0, toPhase: 1, survivalScore: 6_000 },
      { account: owner },
      {},
    ])
    expect(kindsIn(await catchUp({ from, filters: { kinds: ['dream', 'paused'] } }))).toEqual([
      'dream',
      'dream',
      'paused',
    ])
    const mine = { delegators: [bench.account], golems: [bench.golem] }
    expect(kindsIn(await catchUp({ from, filters: mine }))).toEqual(kindsIn(seen))
    const others = { delegators: [world.accounts.payee], golems: [] }
    expect(kindsIn(await catchUp({ from, filters: others }))).toEqual(['paused', 'unpaused'])
  })

  it('starts after the newest block and emits that position first', async () => {
    const seen = await catchUp({ from: 'latest' })
    expect(seen.map(({ type }) => type)).toEqual(['reached'])
    await dream(true)
    await dream(false)
    expect(kindsIn(await catchUp({ from: lastCursor(seen) }))).toEqual(['dream', 'dream'])
    await expect(catchUp({ from: first + 10_000n })).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  })

  it('waits for finality if asked to', async () => {
    const from = (await world.client.getBlockNumber()) + 1n
    await dream(true)
    await world.client.mine({ blocks: 200 })
    await dream(false)
    expect(kindsIn(await catchUp({ from, until: 'latest' }))).toEqual(['dream', 'dream'])
    expect(kindsIn(await catchUp({ from, until: 'finalized' }))).toEqual(['dream'])
  })

  it('continues after every single event without loss or repetition', async () => {
    const from = (await world.client.getBlockNumber()) + 1n
    // Several events in one block, and several blocks.
    for (let block = 0; block < 4; block += 1) {
      await world.client.setAutomine(false)
      for (let i = 0; i < 6; i += 1) {
        await world.client.sendTransaction({
          account: world.accounts.golem,
          to: world.addresses.golemVitals,
          data: vitals('setDreaming', i % 2 === 0),
          gas: 100_000n,
        })
      }
      await world.client.mine({ blocks: 1 })
      await world.client.setAutomine(true)
      await world.client.mine({ blocks: 3 })
    }
    const whole = await catchUp({ from })
    expect(placesIn(whole)).toHaveLength(24)
    expect(new Set(placesIn(whole)).size).toBe(24)
    for (const [index, { cursor }] of whole.entries()) {
      const rest = await catchUp({
        from: readCursor(JSON.parse(JSON.stringify(cursor))),
        settings: { maxBlocks: 1 + (index % 5) },
      })
      expect([...placesIn(whole.slice(0, index + 1)), ...placesIn(rest)]).toEqual(placesIn(whole))
    }
  })

  it('emits thousands of events once each', async () => {
    const from = (await world.client.getBlockNumber()) + 1n
    await world.client.setAutomine(false)
    const [blocks, inBlock] = [8, 250]
    const nonce = await world.client.getTransactionCount({ address: world.accounts.golem })
    for (let block = 0; block < blocks; block += 1) {
      const batch = Array.from({ length: inBlock }, (_, id) => ({
        jsonrpc: '2.0',
        id,
        method: 'eth_sendTransaction',
        params: [
          {
            from: world.accounts.golem,
            to: world.addresses.golemVitals,
            data: vitals('setDreaming', id % 2 === 0),
            gas: '0x186a0',
            nonce: numberToHex(nonce + block * inBlock + id),
          },
        ],
      }))
      const headers = { 'content-type': 'application/json' }
      await (await fetch(world.url, { method: 'POST', headers, body: JSON.stringify(batch) })).text()
      await world.client.mine({ blocks: 1 })
    }
    const many = blocks * inBlock
    await world.client.setAutomine(true)
    const places = placesIn(await catchUp({ from, settings: { maxBlocks: 3 } }))
    expect(places).toHaveLength(many)
    expect(new Set(places).size).toBe(many)
  })
})

describe('a reorganisation', () => {
  const reorganise = (depth: number) =>
    world.client.request({ method: 'anvil_reorg', params: [depth, []] } as never)

  /** The events that remain for a consumer that undoes what `reorged` tells it to. */
  function remaining(seen: readonly Watched[]): readonly string[] {
    let events: { readonly blockNumber: bigint; readonly place: string }[] = []
    for (const one of seen) {
      if (one.type === 'reorged')
        events = events.filter(({ blockNumber }) => blockNumber <= BigInt(one.to.blockNumber))
      if (one.type === 'event')
        events.push({ blockNumber: one.blockNumber, place: `${one.blockHash} ${one.logIndex}` })
    }
    return events.map(({ place }) => place)
  }

  it('is emitted, so that a consumer that undoes events ends up with the canonical chain', async () => {
    const from = (await world.client.getBlockNumber()) + 1n
    for (const dreaming of [true, false, true, false, true, false]) await dream(dreaming)
    // From the cursor of each event, and from those between events.
    for (let round = 0; round < 18; round += 1) {
      const before = await catchUp({ from })
      const count = 1 + (round % before.length)
      const depth = [1, 3, 5][round % 3] ?? 1
      const head = await world.client.getBlockNumber()
      await reorganise(depth)
      await dream(round % 2 === 0)
      const after = await catchUp({ from: readCursor(JSON.parse(JSON.stringify(before[count - 1]?.cursor))) })
      expect(after[0]?.type === 'reorged').toBe(
        BigInt(before[count - 1]?.cursor.blockNumber ?? 0) > head - BigInt(depth),
      )
      expect(remaining([...before.slice(0, count), ...after])).toEqual(remaining(await catchUp({ from })))
      await dream(round % 2 !== 0)
    }
  })

  it('deeper than the trail ends the watch with CHAIN_MISMATCH', async () => {
    const [seen] = await catchUp({ from: 'latest' })
    const cursor = {
      ...lastCursor(seen ? [seen] : []),
      blockHash: `0x${'12'.repeat(32)}`,
      trail: [],
    } as const
    await expect(catchUp({ from: cursor })).rejects.toMatchObject({
      code: 'CHAIN_MISMATCH',
      retryable: false,
    })
  })

  it('during a read does not mix two branches', async () => {
    const from = (await world.client.getBlockNumber()) + 1n
    await dream(true)
    await dream(false)
    let moved = false
    const { client } = nodeAround(world.url, async ({ method, pass }) => {
      const answer = await pass()
      // Right after the logs are read, the last block is replaced.
      if (method === 'eth_getLogs' && !moved) {
        moved = true
        await reorganise(1)
        await dream(true)
      }
      return answer
    })
    const seen = await catchUp({ from, client })
    expect(seen.every((one) => one.type !== 'reorged')).toBe(true)
    expect(remaining(seen)).toEqual(remaining(await catchUp({ from })))
  })
})

describe('a bad node', () => {
  let recent: bigint
  beforeAll(async () => {
    recent = (await world.client.getBlockNumber()) + 1n
    for (let i = 0; i < 20; i += 1) await dream(i % 2 === 0)
  })

  it('that refuses large ranges is queried in smaller ones', async () => {
    const { client, asked } = nodeAround(world.url, async ({ method, params, pass }) => {
      const [range] = params as [{ fromBlock: Hex; toBlock: Hex }]
      if (method === 'eth_getLogs' && BigInt(range.toBlock) - BigInt(range.fromBlock) >= 4n) {
        throw new RpcRequestError({
          body: {},
          url: '',
          error: { code: -32005, message: 'query returned more than 10000 results' },
        })
      }
      return pass()
    })
    expect(placesIn(await catchUp({ from: recent, client }))).toEqual(
      placesIn(await catchUp({ from: recent })),
    )
    expect(asked.length).toBeGreaterThan(10)
  })

  it('that drops connections is queried again, with bounded backoff', async () => {
    const proxy = await startDroppingProxy(world.url, 13)
    const waits: number[] = []
    const stop = new AbortController()
    const clock = {
      now: () => 0,
      sleep: async (milliseconds: number) => {
        waits.push(milliseconds)
        if (milliseconds === defaultWatchSettings.pollMilliseconds) stop.abort()
      },
    }
    const client = createPublicClient({ transport: http(proxy.url, { retryCount: 0 }), cacheTime: 0 })
    const seen: Watched[] = []
    const settings = { retryMilliseconds: 7, maxRetryMilliseconds: 20, maxBlocks: 1 }
    for await (const one of watch({
      client,
      deployment: bench.deployment,
      from: recent,
      clock,
      signal: stop.signal,
      settings,
    }))
      seen.push(one)
    await proxy.stop()
    expect(placesIn(seen)).toEqual(placesIn(await catchUp({ from: recent })))
    expect(waits.filter((wait) => wait === 7).length).toBeGreaterThan(3)
    expect(Math.max(...waits.slice(0, -1))).toBeLessThanOrEqual(20)
  })

  it('that stays unreachable ends the watch with its error', async () => {
    const { client } = nodeAround('http://127.0.0.1:1')
    const waits: number[] = []
    const clock = { now: () => 0, sleep: async (milliseconds: number) => void waits.push(milliseconds) }
    const settings = { maxFailures: 6, retryMilliseconds: 250, maxRetryMilliseconds: 1_500 }
    const watching = watch({ client, deployment: bench.deployment, from: 'latest', clock, settings })
    await expect(watching.next()).rejects.toMatchObject({ code: 'RPC_UNAVAILABLE' })
    expect(waits).toEqual([250, 500, 1_000, 1_500, 1_500])
  })

  it('that lags behind is waited for and is not taken for a reorganisation', async () => {
    const ahead = await catchUp({ from: recent })
    const head = await world.client.getBlockNumber()
    const { client } = nodeAround(world.url, async ({ method, params: [block], pass }) => {
      if (method !== 'eth_getBlockByNumber') return pass()
      if (block === 'latest') return bench.client.request({ method, params: [numberToHex(head - 3n), false] })
      return BigInt(`${block}`) > head - 3n ? null : pass()
    })
    expect(await catchUp({ from: lastCursor(ahead), client })).toEqual([])
  })

  it.each([
    ['not a list', { x: 1 }],
    ['a list with null', [null]],
    ['a log without a position', [{ address: '0x00' }]],
    ['a log of another contract', (log: object) => [{ ...log, address: `0x${'11'.repeat(20)}` }]],
    ['a log of another block', (log: object) => [{ ...log, blockNumber: '0x1' }]],
    ['a log that does not decode', (log: object) => [{ ...log, data: '0x12' }]],
  ])('that answers with %s ends the watch', async (_, answer) => {
    const { blockNumber } = await dream(true)
    await dream(false)
    const [good] = await bench.client.request({
      method: 'eth_getLogs',
      params: [
        { address: world.addresses.golemVitals, fromBlock: numberToHex(blockNumber), toBlock: 'latest' },
      ],
    })
    const { client } = nodeAround(world.url, async ({ method, pass }) => {
      if (method !== 'eth_getLogs') return pass()
      return typeof answer === 'function' ? answer(good ?? {}) : answer
    })
    const watching = catchUp({
      from: blockNumber,
      client,
      filters: { kinds: ['dream'] },
      settings: { maxFailures: 3 },
    })
    await expect(watching).rejects.toMatchObject({ code: 'RPC_MALFORMED' })
  })

  it('does not delay a watch that is aborted', async () => {
    const stop = new AbortController()
    const clock = { now: () => 0, sleep: () => new Promise<void>(() => {}) }
    const waiting = watch({
      client: bench.client,
      deployment: bench.deployment,
      from: 'latest',
      clock,
      signal: stop.signal,
    })
    expect((await waiting.next()).value).toMatchObject({ type: 'reached' })
    const next = waiting.next()
    stop.abort()
    expect(await next).toEqual({ done: true, value: undefined })
  })
})

describe('a cursor', () => {
  it.each([
    null,
    5,
    {},
    { blockNumber: 5, blockHash: `0x${'12'.repeat(32)}`, logIndex: 0, trail: [] },
    { blockNumber: '5', blockHash: '0x12', logIndex: 0, trail: [] },
    { blockNumber: '5', blockHash: `0x${'12'.repeat(32)}`, logIndex: 0.5, trail: [] },
    { blockNumber: '5', blockHash: `0x${'12'.repeat(32)}`, logIndex: 0, trail: [{}] },
  ])('cannot be %j', (value) => {
    expect(() => readCursor(value)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }))
  })

  it('stays small however long the watch runs', () => {
    const hash = `0x${'12'.repeat(32)}` as const
    let cursor: Cursor = { blockNumber: '0', blockHash: hash, logIndex: 0, trail: [] }
    for (let block = 1n; block < 20_000n; block += 1n) cursor = advance(cursor, block, hash, 0)
    const distances = cursor.trail.map(({ blockNumber }) => 19_999 - Number(blockNumber))
    expect(distances.slice(0, 12)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
    expect(distances.length).toBeLessThan(32)
    // The point to return to is at most a few times as far back as the reorganisation is deep.
    for (const [place, distance] of distances.entries()) {
      expect(distance).toBeLessThanOrEqual(4 * (distances[place - 1] ?? 1))
    }
  })
})

/** A proxy to a node that drops every n-th connection, in turn before and after the node has answered. */
async function startDroppingProxy(target: string, every: number) {
  let count = 0
  const server: Server = createServer((request, response) => {
    count += 1
    const drops = count % every === 0
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      if (drops && count % 2 === 0) return request.socket.destroy()
      const answer = await fetch(target, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: Buffer.concat(chunks),
      })
      const body = await answer.text()
      if (drops) return request.socket.destroy()
      response.setHeader('content-type', 'application/json')
      return response.end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
