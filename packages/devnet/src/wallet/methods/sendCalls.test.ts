import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  type Hex,
  numberToHex,
  parseEther,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWalletWorld, type WalletWorld } from '../testing/walletWorld.ts'

let world: WalletWorld
const payee: Address = getAddress('0x00000000000000000000000000000000000000aa')

beforeAll(async () => {
  world = await openWalletWorld()
})

afterAll(() => world.stop())

const transfer = (to: Address, amount: bigint): Hex =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })

const usdcOf = (owner: Address) =>
  world.client.readContract({
    address: world.addresses.usdc,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [owner],
  })

const nonceOf = (address: Address) => world.client.getTransactionCount({ address })

describe('eth_sendTransaction', () => {
  test('signs and sends, and fills in what the page omitted', async () => {
    const { page, owner, prompts } = await world.openWallet()
    const before = await usdcOf(payee)
    const { usdc } = world.addresses
    const hash = await page.sendTransaction({ account: owner.address, to: usdc, data: transfer(payee, 7n) })
    expect(await world.client.waitForTransactionReceipt({ hash })).toMatchObject({ status: 'success' })
    expect((await usdcOf(payee)) - before).toBe(7n)
    expect(prompts).toMatchObject([{ kind: 'sendTransaction', from: owner.address, call: { to: usdc } }])
  })

  test('sends several simultaneous transactions with consecutive nonces', async () => {
    const { page, owner } = await world.openWallet()
    const send = () => page.sendTransaction({ account: owner.address, to: payee, value: 1n })
    const hashes = await Promise.all([send(), send(), send()])
    for (const hash of hashes) await world.client.waitForTransactionReceipt({ hash })
    expect(await nonceOf(owner.address)).toBe(3)
  })

  test('does not send a transaction that would revert, and returns the reason', async () => {
    const { page, owner } = await world.openWallet()
    const tooMuch = page.sendTransaction({
      account: owner.address,
      to: world.addresses.usdc,
      data: transfer(payee, parseEther('1')),
    })
    await expect(tooMuch).rejects.toThrow(/revert/)
    expect(await nonceOf(owner.address)).toBe(0)
  })

  test.for<[string, (owner: Address) => object, number]>([
    ['another account', () => ({ from: payee, to: payee }), 4100],
    ['an EIP-7702 transaction', (from) => ({ from, to: from, type: '0x4' }), -32602],
    ['an authorization', (from) => ({ from, to: from, authorizationList: [] }), -32602],
    ['data to the account itself', (from) => ({ from, to: from.toLowerCase(), data: '0x1234' }), -32602],
    ['data to the account itself as `input`', (from) => ({ from, to: from, input: '0x1234' }), -32602],
    ['neither recipient nor code', (from) => ({ from }), -32602],
    ['another chain', (from) => ({ from, to: payee, chainId: '0x1' }), -32602],
    ['half a byte', (from) => ({ from, to: payee, data: '0x123' }), -32602],
    ['a value that is not a number', (from) => ({ from, to: payee, value: '1 ether' }), -32602],
  ])('refuses %s without a prompt', async ([, transaction, code]) => {
    const { wallet, owner, prompts } = await world.openWallet()
    const asking = wallet.request({ method: 'eth_sendTransaction', params: [transaction(owner.address)] })
    await expect(asking).rejects.toMatchObject({ code })
    expect(prompts).toEqual([])
    expect(await nonceOf(owner.address)).toBe(0)
  })

  test('refuses `data` and `input` with different values', async () => {
    const { wallet, owner, prompts } = await world.openWallet()
    const params = [{ from: owner.address, to: payee, data: '0x12', input: '0x34' }]
    await expect(wallet.request({ method: 'eth_sendTransaction', params })).rejects.toMatchObject({
      code: -32602,
    })
    expect(prompts).toEqual([])
  })

  test('sends nothing when the owner rejects', async () => {
    const { page, owner } = await world.openWallet({ decide: () => 'reject' })
    const sending = page.sendTransaction({ account: owner.address, to: payee, value: 1n })
    await expect(sending).rejects.toMatchObject({ cause: { code: 4001 } })
    expect(await nonceOf(owner.address)).toBe(0)
  })
})

describe('wallet_sendCalls', () => {
  test('upgrades the account and runs the batch in one transaction', async () => {
    const { page, owner, prompts } = await world.openWallet()
    const before = await usdcOf(payee)
    const chain = numberToHex(world.chain.id)
    const capabilities = () =>
      page.request({ method: 'wallet_getCapabilities', params: [owner.address, [chain]] })
    expect(await capabilities()).toEqual({ [chain]: { atomic: { status: 'ready' } } })

    const calls = [
      { to: world.addresses.usdc, data: transfer(payee, 3n) },
      { to: payee, value: 5n },
    ]
    const { id } = await page.sendCalls({ account: owner.address, calls })
    const result = await page.waitForCallsStatus({ id })
    expect(result).toMatchObject({
      status: 'success',
      statusCode: 200,
      atomic: true,
      chainId: world.chain.id,
    })
    expect(result.receipts).toHaveLength(1)
    expect((await usdcOf(payee)) - before).toBe(3n)
    expect(await capabilities()).toEqual({ [chain]: { atomic: { status: 'supported' } } })
    expect(
      await page.request({ method: 'wallet_getCapabilities', params: [owner.address, ['0x1']] }),
    ).toEqual({})
    expect(prompts).toMatchObject([{ kind: 'sendCalls', upgrade: true }])

    const { id: next } = await page.sendCalls({ account: owner.address, calls })
    await page.waitForCallsStatus({ id: next })
    expect(prompts).toMatchObject([{ upgrade: true }, { upgrade: false }])
    expect((await usdcOf(payee)) - before).toBe(6n)
  })

  test('sends a single call as a plain transaction', async () => {
    const { page, owner } = await world.openWallet()
    const { id } = await page.sendCalls({ account: owner.address, calls: [{ to: payee, value: 5n }] })
    expect(await page.waitForCallsStatus({ id })).toMatchObject({ status: 'success' })
    expect(await world.client.getCode({ address: owner.address })).toBeUndefined()
  })

  test('reverts all calls when one fails', async () => {
    const { page, owner } = await world.openWallet()
    const before = await usdcOf(payee)
    const calls = [transfer(payee, 1n), transfer(payee, parseEther('1'))].map((data) => ({
      to: world.addresses.usdc,
      data,
    }))
    await expect(page.sendCalls({ account: owner.address, calls })).rejects.toThrow()
    expect(await usdcOf(payee)).toBe(before)
  })

  test('neither upgrades nor sends when the owner rejects', async () => {
    const { page, owner } = await world.openWallet({ decide: () => 'reject' })
    const calls = [
      { to: payee, value: 1n },
      { to: payee, value: 2n },
    ]
    await expect(page.sendCalls({ account: owner.address, calls })).rejects.toMatchObject({
      cause: { code: 4001 },
    })
    expect(await nonceOf(owner.address)).toBe(0)
    expect(await world.client.getCode({ address: owner.address })).toBeUndefined()
  })

  const twice = (call: object) => [call, call]
  test.for<[string, (owner: Address) => object, number]>([
    ['another account', () => ({ from: payee }), 4100],
    ['an older version', () => ({ version: '1.0' }), -32602],
    ['another chain', () => ({ chainId: '0x1' }), -32602],
    ['no calls', () => ({ calls: [] }), -32602],
    ['a call without a recipient', () => ({ calls: [{ value: '0x1' }] }), -32602],
    ['a contract created inside a batch', () => ({ calls: twice({ data: '0x00' }) }), -32602],
    ['data to the account itself', (owner) => ({ calls: [{ to: owner, data: '0x1234' }] }), -32602],
    [
      'a batch that calls the account itself',
      (owner) => ({ calls: twice({ to: owner.toLowerCase() }) }),
      -32602,
    ],
    [
      'an unsupported required capability',
      () => ({ capabilities: { paymasterService: { url: 'x' } } }),
      5700,
    ],
  ])('refuses %s without a prompt', async ([, request, code]) => {
    const { wallet, owner, prompts } = await world.openWallet()
    const base = {
      version: '2.0.0',
      chainId: '0x7a69',
      atomicRequired: true,
      calls: [{ to: payee, value: '0x1' }],
    }
    const asking = wallet.request({
      method: 'wallet_sendCalls',
      params: [{ ...base, ...request(owner.address) }],
    })
    await expect(asking).rejects.toMatchObject({ code })
    expect(prompts).toEqual([])
    expect(await nonceOf(owner.address)).toBe(0)
  })

  test('ignores an optional capability, and refuses a duplicate id', async () => {
    const { wallet, page } = await world.openWallet()
    const capabilities = { paymasterService: { url: 'x', optional: true } }
    const calls = [{ to: payee, value: '0x1' }]
    const params = [
      { version: '2.0.0', id: '0xabcd', chainId: '0x7a69', atomicRequired: false, calls, capabilities },
    ]
    expect(await wallet.request({ method: 'wallet_sendCalls', params })).toEqual({ id: '0xabcd' })
    await expect(wallet.request({ method: 'wallet_sendCalls', params })).rejects.toMatchObject({ code: 5720 })
    const status = (id: string) => wallet.request({ method: 'wallet_getCallsStatus', params: [id] })
    await page.waitForCallsStatus({ id: '0xabcd' })
    expect(await status('0xabcd')).toMatchObject({ version: '2.0.0', status: 200 })
    await expect(status('0xef')).rejects.toMatchObject({ code: 5730 })
  })

  test('refuses an account that runs another wallet’s code', async () => {
    const { wallet, page, owner, prompts } = await world.openWallet()
    const authorization = await world.client.signAuthorization({
      account: owner,
      contractAddress: world.addresses.weth,
      executor: 'self',
    })
    const hash = await world.client.sendTransaction({
      account: owner,
      to: owner.address,
      authorizationList: [authorization],
    })
    await world.client.waitForTransactionReceipt({ hash })
    const calls = [
      { to: payee, value: 1n },
      { to: payee, value: 2n },
    ]
    await expect(page.sendCalls({ account: owner.address, calls })).rejects.toMatchObject({
      cause: { code: 5750 },
    })
    expect(prompts).toEqual([])
    expect(await wallet.request({ method: 'wallet_getCapabilities', params: [owner.address] })).toEqual({})
  })
})

test('the owner can upgrade an account once', async () => {
  const { wallet, owner } = await world.openWallet()
  expect(await wallet.upgrade(owner.address)).toMatch(/^0x/)
  expect(await wallet.upgrade(owner.address)).toBeUndefined()
  expect(await world.client.getCode({ address: owner.address })).toMatch(/^0xef0100/)
  await expect(wallet.upgrade(payee)).rejects.toMatchObject({ code: 4100 })
})
