import { cageEnforcer } from '@bardo/contracts'
import { caveatRegistry, type Deployment, deploymentOn, type Read } from '@bardo/core'
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
import { nodeAround } from '../testing/nodeAround.ts'
import { fixedAnswers } from './ownAnswers.ts'
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
const native = (account: Address): Read => ({
  to: world.addresses.multicall3,
  data: `${toFunctionSelector('getEthBalance(address)')}${pad(account).slice(2)}`,
})

describe('caveatRegistry', () => {
  it('contains Bardo’s thirteen enforcers and MetaMask’s', () => {
    const registry = caveatRegistry(deployment)
    const own = Object.entries(deployment.contracts).filter(([name]) => name.endsWith('Enforcer'))
    expect(own).toHaveLength(13)
    for (const [name, address] of own) {
      expect(`${registry(address)?.name}Enforcer`.toLowerCase()).toBe(name.toLowerCase())
    }
    expect(registry(deployment.framework.caveatEnforcers['TimestampEnforcer'] ?? '0x')?.name).toBe(
      'Timestamp',
    )
    // The PolicyCage contract has a similar name but is not an enforcer.
    expect(registry(deployment.contracts.policyCage)).toBeUndefined()
  })
})

describe('readState', () => {
  it('answers all reads at one block with one call', async () => {
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
    // An account without code returns nothing. A read that was not requested has no answer.
    expect(state.answer(balance(world.accounts.owner, usdc))).toEqual({ ok: true, data: '0x' })
    expect(state.answer(balance(usdc, usdc))).toBeUndefined()
    // Addresses are case-insensitive.
    expect(
      state.answer({ to: usdc.toLowerCase() as Hex, data: balance(usdc, world.accounts.owner).data })?.ok,
    ).toBe(true)
  })

  it('returns the same answers without Multicall3, and splits many reads into chunks', async () => {
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
    const separate = await readState(client, deployment, some)
    await world.client.revert({ id: snapshot })
    const joint = await readState(client, deployment, some)
    expect(some.map((read) => separate.answer(read))).toEqual(some.map((read) => joint.answer(read)))
    expect(separate).toMatchObject({ blockNumber: joint.blockNumber, timestamp: joint.timestamp })
  })

  it('reads one by one when a token burns all gas', async () => {
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

  it('computes the same fixed answers as the enforcers’ code returns', async () => {
    const fixed = fixedAnswers(deployment)
    const to = deployment.contracts.cageEnforcer
    const data = encodeFunctionData({ abi: cageEnforcer.abi, functionName: 'dependencies' })
    const { data: returned } = await world.client.call({ to, data })
    expect(fixed.get(`${to}${data}`.toLowerCase())).toEqual({ ok: true, data: returned })
  })

  it('reads an earlier block on request', async () => {
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
    ['null', null],
    ['a number', 5],
    ['half a byte', '0x123'],
    ['bytes that do not decode', '0x1234'],
    ['an offset out of range', `0x${'ff'.repeat(32)}`],
    ['a list with a billion entries', `0x${'00'.repeat(31)}20${'00'.repeat(28)}40000000`],
    [
      'one answer too few',
      encodeFunctionResult({
        abi: multicall3Abi,
        functionName: 'aggregate3',
        result: [1, 2].map((word) => ({ success: true, returnData: numberToHex(word, { size: 32 }) })),
      }),
    ],
    ['an empty list', `0x${'00'.repeat(31)}20${'00'.repeat(32)}`],
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
