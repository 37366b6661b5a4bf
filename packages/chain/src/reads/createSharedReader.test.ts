import { type Deployment, deploymentOn, type Read } from '@bardo/core'
import { type Devnet, startDevnet } from '@bardo/devnet'
import { type Address, encodeFunctionData, erc20Abi, type Hex, numberToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nodeAround } from '../testing/nodeAround.ts'
import { createSharedReader } from './createSharedReader.ts'
import { readState } from './readState.ts'

let world: Devnet
let deployment: Deployment
beforeAll(async () => {
  world = await startDevnet({ port: 0 })
  deployment = deploymentOn(world.chainId)
})
afterAll(() => world?.stop())

const balance = (token: Address, account: Address): Read => ({
  to: token,
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [account] }),
})
/** The reads of one Golem: one of its own, and one that all Golems share. */
const questionsOf = (golem: number): readonly Read[] => [
  balance(world.addresses.usdc, numberToHex(golem + 1, { size: 20 })),
  balance(world.addresses.usdc, world.accounts.owner),
]
const many = (count: number) => Array.from({ length: count }, (_, golem) => questionsOf(golem))
const tokenOf = async (address: Address, bytecode: Hex) => {
  await world.client.setCode({ address, bytecode })
  return balance(address, address)
}

describe('createSharedReader', () => {
  it('sends one request for all Golems, and each gets the answers of a separate read', async () => {
    const { client, asked } = nodeAround(world.url)
    const read = createSharedReader(client, deployment)
    const golems = many(100)
    const states = await Promise.all(golems.map(read))
    expect(asked).toEqual(['eth_call'])
    expect(new Set(states.map(({ blockNumber }) => blockNumber)).size).toBe(1)
    for (const [index, reads] of golems.entries()) {
      const alone = await readState(world.client, deployment, reads)
      expect(reads.map((each) => states[index]?.answer(each))).toEqual(
        reads.map((each) => alone.answer(each)),
      )
    }
  })

  it('never answers from a block older than the request', async () => {
    const held = questionsOf(0)
    const read = createSharedReader(world.client, deployment)
    const before = read(held)
    await before
    await world.fund(world.accounts.owner, { USDC: 5n })
    const question = balance(world.addresses.usdc, world.accounts.owner)
    expect((await read(held)).answer(question)).not.toEqual((await before).answer(question))
  })

  it('limits batches to a size that nodes accept', async () => {
    const { client, asked } = nodeAround(world.url)
    const states = await Promise.all(many(3_000).map(createSharedReader(client, deployment)))
    expect(states).toHaveLength(3_000)
    expect(asked.length).toBeLessThan(20)
  })

  it('reads for every Golem when another Golem’s contract fails', async () => {
    const token = (n: number) => numberToHex(0xe71 + n, { size: 20 })
    // One burns all gas, one reverts, one has no code.
    const bad = [
      await tokenOf(token(0), '0xfe'),
      await tokenOf(token(1), '0x60006000fd'),
      balance(token(2), token(2)),
    ]
    const { client, asked } = nodeAround(world.url)
    const read = createSharedReader(client, deployment)
    const golems = many(200).map((reads, golem) => {
      const worst = golem % 50 === 7 ? bad[(golem - 7) / 50] : undefined
      return worst ? [...reads, worst] : reads
    })
    const states = await Promise.all(golems.map(read))
    for (const [index, reads] of golems.entries())
      expect(reads.slice(0, 2).map((each) => states[index]?.answer(each)?.ok)).toEqual([true, true])
    expect(golems[7]?.map((each) => states[7]?.answer(each)?.ok)).toEqual([true, true, false])
    expect(asked.length).toBeLessThan(60)
  })

  it('does not take a call that ran out of gas in the batch for an answer', async () => {
    const { gasLimit } = await world.client.getBlock()
    const thief = await tokenOf(numberToHex(0xe81, { size: 20 }), '0xfe')
    // Counts down, using a little more gas than the other token leaves, and returns a word.
    const rounds = numberToHex(gasLimit / 64n / 25n, { size: 4 }).slice(2)
    const heavy = await tokenOf(
      numberToHex(0xe82, { size: 20 }),
      `0x63${rounds}5b600190038060055760015f5260205ff3`,
    )
    const read = createSharedReader(world.client, deployment)
    const [, state] = await Promise.all([read([thief]), read([heavy])])
    expect(state.answer(heavy)).toEqual({ ok: true, data: numberToHex(1, { size: 32 }) })
  })

  it('fails for all while the node is unreachable, and works again afterwards', async () => {
    let isAway = true
    const { client } = nodeAround(world.url, async ({ pass }) => {
      if (isAway) throw new Error('connection refused')
      return pass()
    })
    const read = createSharedReader(client, deployment)
    const results = await Promise.allSettled(many(5).map(read))
    for (const result of results)
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'RPC_UNAVAILABLE' } })
    isAway = false
    expect(await Promise.all(many(5).map(read))).toHaveLength(5)
  })
})
