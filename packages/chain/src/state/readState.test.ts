import { cageEnforcer } from '@bardo/contracts'
import type { Read } from '@bardo/core'
import { type Devnet, startDevnet } from '@bardo/devnet'
import {
  type Address,
  encodeFunctionData,
  encodeFunctionResult,
  erc20Abi,
  type Hex,
  multicall3Abi,
  numberToHex,
  pad,
  toFunctionSelector,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Deployment, deploymentOn } from '../deployments/deployment.ts'
import { caveatRegistry } from '../deployments/registry.ts'
import { nodeAround } from '../testing/nodeAround.ts'
import { fixedAnswers } from './ownAnswers.ts'
import { readState } from './readState.ts'

let world: Devnet
let deployment: Deployment
beforeAll(async () => {
  world = await startDevnet({ port: 0 })
  deployment = deploymentOn(world.chainId, world.framework)
})
afterAll(() => world?.stop())

const balance = (token: Address, account: Address): Read => ({
  to: token,
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [account] }),
})
const native = (account: Address): Read => ({
  to: world.addresses.multicall3,
  data: `${toFunctionSelector('getEthBalance(address)')}${pad(account).slice(2)}`,
})

describe('caveatRegistry', () => {
  it('knows Bardo’s thirteen enforcers, and MetaMask’s', () => {
    const registry = caveatRegistry(deployment)
    const own = Object.entries(deployment.contracts).filter(([name]) => name.endsWith('Enforcer'))
    expect(own).toHaveLength(13)
    for (const [name, address] of own) {
      expect(`${registry(address)?.name}Enforcer`.toLowerCase()).toBe(name.toLowerCase())
    }
    expect(registry(deployment.framework.caveatEnforcers['TimestampEnforcer'] ?? '0x')?.name).toBe(
      'Timestamp',
    )
    // The constitution's contract has a caveat's name, and is none.
    expect(registry(deployment.contracts.policyCage)).toBeUndefined()
  })
})

describe('readState', () => {
  it('answers everything at one block with one call', async () => {
    const { client, asked } = nodeAround(world.url)
    const { usdc, weth } = world.addresses
    const reads = [
      balance(usdc, world.accounts.owner),
      balance(weth, usdc),
      native(world.accounts.owner),
      balance(world.accounts.owner, usdc),
    ]
    const state = await readState(client, deployment, reads)
    expect(asked).toEqual(['eth_call'])
    const { number, timestamp } = await world.client.getBlock()
    expect(state).toMatchObject({ blockNumber: number, timestamp })
    const held = await world.client.getBalance({ address: world.accounts.owner })
    expect(state.answer(native(world.accounts.owner))).toEqual({
      ok: true,
      data: numberToHex(held, { size: 32 }),
    })
    // Whoever has no code answers nothing, and a question that nobody asked has no answer.
    expect(state.answer(balance(world.accounts.owner, usdc))).toEqual({ ok: true, data: '0x' })
    expect(state.answer(balance(usdc, usdc))).toBeUndefined()
    // The case of letters does not matter.
    expect(
      state.answer({ to: usdc.toLowerCase() as Hex, data: balance(usdc, world.accounts.owner).data })?.ok,
    ).toBe(true)
  })

  it('says the same one by one where there is no Multicall3, and in chunks where there is much to ask', async () => {
    const reads = Array.from({ length: 2_500 }, (_, i) =>
      balance(world.addresses.usdc, numberToHex(i + 1, { size: 20 })),
    )
    const { client, asked } = nodeAround(world.url)
    const state = await readState(client, deployment, reads)
    expect(asked.filter((method) => method === 'eth_call').length).toBeGreaterThan(1)
    expect(reads.every((read) => state.answer(read)?.ok)).toBe(true)
    const snapshot = await world.client.snapshot()
    await world.client.setCode({ address: world.addresses.multicall3, bytecode: '0x' })
    const some = [...reads.slice(0, 120), native(world.accounts.owner)]
    const alone = await readState(client, deployment, some)
    await world.client.revert({ id: snapshot })
    const together = await readState(client, deployment, some)
    expect(some.map((read) => alone.answer(read))).toEqual(some.map((read) => together.answer(read)))
    expect(alone).toMatchObject({ blockNumber: together.blockNumber, timestamp: together.timestamp })
  })

  it('asks each question alone where a token burns all gas', async () => {
    const evil = Array.from({ length: 6 }, (_, i) => numberToHex(0xe71 + i, { size: 20 }))
    for (const address of evil) await world.client.setCode({ address, bytecode: '0xfe' })
    const good = balance(world.addresses.usdc, world.accounts.owner)
    const state = await readState(world.client, deployment, [
      ...evil.map((token) => balance(token, token)),
      good,
    ])
    expect(state.answer(balance(evil[0] ?? '0x', evil[0] ?? '0x'))).toEqual({ ok: false, data: '0x' })
    expect(state.answer(good)?.ok).toBe(true)
  })

  it('knows by computation what the enforcers’ code says', async () => {
    const fixed = fixedAnswers(deployment)
    for (const functionName of ['vitals', 'policyCage'] as const) {
      const to = deployment.contracts.cageEnforcer
      const data = encodeFunctionData({ abi: cageEnforcer.abi, functionName })
      const { data: said } = await world.client.call({ to, data })
      expect(fixed.get(`${to}${data}`.toLowerCase())).toEqual({ ok: true, data: said })
    }
  })

  it('reads an earlier block where it is told to', async () => {
    const { number } = await world.client.getBlock()
    const read = balance(world.addresses.usdc, world.accounts.operator)
    const before = (await readState(world.client, deployment, [read])).answer(read)
    await world.fund(world.accounts.operator, { USDC: 5n })
    expect((await readState(world.client, deployment, [read])).answer(read)).not.toEqual(before)
    const then = await readState(world.client, deployment, [read], number)
    expect(then.answer(read)).toEqual(before)
    expect(then.blockNumber).toBe(number)
  })

  it.each([
    ['nothing', null],
    ['a number', 5],
    ['half a byte', '0x123'],
    ['bytes that are no answers', '0x1234'],
    ['an offset far away', `0x${'ff'.repeat(32)}`],
    ['a list of a billion', `0x${'00'.repeat(31)}20${'00'.repeat(28)}40000000`],
    [
      'one answer too few',
      encodeFunctionResult({
        abi: multicall3Abi,
        functionName: 'aggregate3',
        result: [1, 2].map((word) => ({ success: true, returnData: numberToHex(word, { size: 32 }) })),
      }),
    ],
    ['no answers', `0x${'00'.repeat(31)}20${'00'.repeat(32)}`],
  ])('refuses a node’s answer that is %s', async (_, answer) => {
    const { client } = nodeAround(world.url, async ({ method, pass }) =>
      method === 'eth_call' ? answer : pass(),
    )
    await expect(
      readState(client, deployment, [balance(world.addresses.usdc, world.accounts.owner)]),
    ).rejects.toMatchObject({
      code: 'RPC_MALFORMED',
    })
  })
})
