import { type Address, getAddress, type Hex, numberToHex, recoverMessageAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startAnvil } from '../anvil/startAnvil.ts'
import { createDevnetClient } from '../world/devnetClient.ts'
import { createOwnerWallet } from './createOwnerWallet.ts'
import type { Decision, Prompt } from './decision.ts'
import { openWalletWorld, type WalletWorld } from './testing/walletWorld.ts'

let world: WalletWorld
const stranger: Address = getAddress('0x00000000000000000000000000000000000000bb')

beforeAll(async () => {
  world = await openWalletWorld()
})

afterAll(() => world.stop())

/** A wallet without a connected page; its owner decides as `answers` does. */
async function newWallet(answers: (prompt: Prompt) => Decision = () => 'approve', url = world.url) {
  const accounts = [await world.fundedAccount(), await world.fundedAccount()] as const
  const prompts: Prompt[] = []
  const decide = (prompt: Prompt) => {
    prompts.push(prompt)
    return answers(prompt)
  }
  const wallet = createOwnerWallet({ url, accounts, environment: world.framework, decide })
  const events: [string, unknown][] = []
  for (const name of ['accountsChanged', 'chainChanged', 'connect', 'disconnect'] as const) {
    wallet.on(name, (value: unknown) => events.push([name, value]))
  }
  const ask = (method: string, ...params: unknown[]) => wallet.request({ method, params })
  return { wallet, ask, prompts, events, first: accounts[0].address, second: accounts[1].address }
}

describe('connecting', () => {
  test('shows accounts to a page after the owner’s approval, and asks once', async () => {
    const { ask, prompts, events, first, second } = await newWallet()
    expect(await ask('eth_accounts')).toEqual([])
    expect(await ask('wallet_getPermissions')).toEqual([])
    expect(await ask('eth_requestAccounts')).toEqual([first, second])
    expect(await ask('eth_requestAccounts')).toEqual([first, second])
    expect(await ask('eth_accounts')).toEqual([first, second])
    expect(prompts).toEqual([{ kind: 'connect', accounts: [first, second] }])
    expect(events).toEqual([['accountsChanged', [first, second]]])
  })

  test('shows nothing after a rejection', async () => {
    const { ask } = await newWallet(() => 'reject')
    await expect(ask('eth_requestAccounts')).rejects.toMatchObject({ code: 4001 })
    await expect(ask('wallet_requestPermissions', { eth_accounts: {} })).rejects.toMatchObject({ code: 4001 })
    expect(await ask('eth_accounts')).toEqual([])
  })

  test('shows only the accounts the owner chose', async () => {
    const { ask, second, first } = await newWallet((prompt) =>
      prompt.kind === 'connect' ? { accounts: prompt.accounts.slice(1) } : 'approve',
    )
    expect(await ask('wallet_requestPermissions', { eth_accounts: {} })).toMatchObject([
      { parentCapability: 'eth_accounts', caveats: [{ value: [second] }] },
    ])
    await expect(ask('personal_sign', '0x00', first)).rejects.toMatchObject({ code: 4100 })
  })

  test('refuses any other permission', async () => {
    const { ask } = await newWallet()
    await expect(ask('wallet_requestPermissions', { everything: {} })).rejects.toMatchObject({ code: -32602 })
    await expect(ask('wallet_requestPermissions')).rejects.toMatchObject({ code: -32602 })
  })

  test('can be ended by the page or the owner', async () => {
    const { wallet, ask, events } = await newWallet()
    await ask('eth_requestAccounts')
    expect(await ask('wallet_revokePermissions', { eth_accounts: {} })).toBeNull()
    expect(await ask('eth_accounts')).toEqual([])
    await ask('eth_requestAccounts')
    wallet.disconnect()
    expect(await ask('eth_accounts')).toEqual([])
    expect(events.map(([, accounts]) => (accounts as Address[]).length)).toEqual([2, 0, 2, 0])
  })

  test('hides everything while locked, and only the owner can unlock it', async () => {
    const answers: Decision[] = ['approve', 'reject', 'approve']
    const { wallet, ask, first, prompts } = await newWallet(() => answers.shift() ?? 'reject')
    await ask('eth_requestAccounts')
    wallet.lock()
    expect(await ask('eth_accounts')).toEqual([])
    await expect(ask('personal_sign', '0x00', first)).rejects.toMatchObject({ code: 4100 })
    await expect(ask('eth_requestAccounts')).rejects.toMatchObject({ code: 4001 })
    expect(await ask('eth_requestAccounts')).toHaveLength(2)
    expect(prompts.map(({ kind }) => kind)).toEqual(['connect', 'unlock', 'unlock'])
    wallet.lock()
    wallet.unlock()
    expect(await ask('eth_accounts')).toHaveLength(2)
  })

  test('puts the selected account first', async () => {
    const { wallet, ask, events, first, second } = await newWallet()
    await ask('eth_requestAccounts')
    wallet.selectAccount(second)
    expect(await ask('eth_accounts')).toEqual([second, first])
    expect(events.at(-1)).toEqual(['accountsChanged', [second, first]])
    expect(() => wallet.selectAccount(stranger)).toThrow(/not an account of this wallet/)
  })

  test('announces itself with only what a page may use', async () => {
    const { wallet } = await newWallet()
    const other = await newWallet()
    expect(wallet.info).toMatchObject({ name: expect.any(String), rdns: expect.stringMatching(/^[a-z.-]+$/) })
    expect(wallet.info.icon).toMatch(/^data:image\/svg\+xml,/)
    expect(wallet.info.uuid).not.toBe(other.wallet.info.uuid)
    expect(Object.keys(wallet.provider).sort()).toEqual(['on', 'removeListener', 'request'])
  })
})

describe('chains', () => {
  test('reports its chain and that it is connected', async () => {
    const { ask, events } = await newWallet()
    expect(await ask('eth_chainId')).toBe('0x7a69')
    expect(await ask('net_version')).toBe('31337')
    expect(events).toEqual([['connect', { chainId: '0x7a69' }]])
  })

  test('refuses to switch to a chain that was not added', async () => {
    const { ask, prompts } = await newWallet()
    await expect(ask('wallet_switchEthereumChain', { chainId: '0x1' })).rejects.toMatchObject({ code: 4902 })
    expect(await ask('wallet_switchEthereumChain', { chainId: '0x7a69' })).toBeNull()
    expect(prompts).toEqual([])
  })

  test('adds a chain whose node has that chain id, and switches only with the owner’s approval', async () => {
    await using stack = new AsyncDisposableStack()
    const other = await startAnvil({ port: 0, timestamp: 1_700_000_000 })
    stack.defer(other.stop)
    const answers: Decision[] = ['approve', 'reject', 'approve', 'reject', 'approve']
    const { ask, prompts, events } = await newWallet(() => answers.shift() ?? 'reject')
    const chain = {
      chainName: 'Other',
      rpcUrls: [other.url],
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    }
    const add = (chainId: Hex) => ask('wallet_addEthereumChain', { ...chain, chainId })
    await ask('eth_requestAccounts')
    // Another anvil has the same chain id by default.
    await expect(add('0x1092')).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(/31337/),
    })
    await createDevnetClient(other.url).request<{ Parameters: unknown; ReturnType: unknown }>({
      method: 'anvil_setChainId',
      params: [4242],
    })

    await expect(add('0x1092')).rejects.toMatchObject({ code: 4001 })
    expect(await ask('eth_chainId')).toBe('0x7a69')
    expect(await add('0x1092')).toBeNull()
    expect(await ask('eth_chainId')).toBe('0x1092')
    expect(await ask('eth_blockNumber')).toBe('0x0')
    const batch = {
      version: '2.0.0',
      chainId: '0x1092',
      atomicRequired: true,
      calls: [{ to: stranger }, { to: stranger }],
    }
    await expect(ask('wallet_sendCalls', batch)).rejects.toMatchObject({ code: 5710 })
    await expect(ask('wallet_switchEthereumChain', { chainId: '0x7a69' })).rejects.toMatchObject({
      code: 4001,
    })
    expect(await ask('wallet_switchEthereumChain', { chainId: '0x7A69' })).toBeNull()
    expect(await ask('eth_chainId')).toBe('0x7a69')
    const asked = ['connect', 'addChain', 'addChain', 'switchChain', 'switchChain']
    expect(prompts.map(({ kind }) => kind)).toEqual(asked)
    expect(events.filter(([name]) => name === 'chainChanged').map(([, id]) => id)).toEqual([
      '0x1092',
      '0x7a69',
    ])
  })

  test('keeps its own node for a chain that it has, whatever node a page names', async () => {
    const { ask, prompts } = await newWallet()
    const chain = { chainId: '0x7a69', chainName: 'Mine', nativeCurrency: { symbol: 'ETH', decimals: 18 } }
    expect(await ask('wallet_addEthereumChain', { ...chain, rpcUrls: ['http://127.0.0.1:1'] })).toBeNull()
    expect(await ask('eth_blockNumber')).toBe(numberToHex(await world.client.getBlockNumber()))
    expect(prompts).toEqual([])
    await expect(ask('wallet_addEthereumChain', { ...chain, rpcUrls: ['ftp://x'] })).rejects.toMatchObject({
      code: -32602,
    })
  })

  test('emits events when the chain becomes unreachable and when it is back', async () => {
    const node = await startAnvil({ port: 0, timestamp: 1_700_000_000 })
    const { ask, events } = await newWallet(undefined, node.url)
    expect(await ask('eth_chainId')).toBe('0x7a69')
    await node.stop()
    await expect(ask('eth_blockNumber')).rejects.toMatchObject({ code: 4900 })
    await expect(ask('eth_blockNumber')).rejects.toMatchObject({ code: 4900 })
    await using stack = new AsyncDisposableStack()
    const again = await startAnvil({ port: Number(new URL(node.url).port), timestamp: 1_700_000_000 })
    stack.defer(again.stop)
    expect(await ask('eth_blockNumber')).toBe('0x0')
    expect(events.map(([name]) => name)).toEqual(['connect', 'disconnect', 'connect'])
  })
})

describe('requests', () => {
  test('forward reads to the node, and return its errors unchanged', async () => {
    const { ask } = await newWallet()
    expect(await ask('eth_getBalance', stranger, 'latest')).toBe('0x0')
    const revert = { to: world.addresses.usdc, data: `0xa9059cbb${'0'.repeat(126)}01` }
    await expect(ask('eth_call', revert, 'latest')).rejects.toMatchObject({
      code: 3,
      data: expect.stringMatching(/^0x/),
    })
  })

  test.for([
    'anvil_setBalance',
    'evm_mine',
    'eth_sign',
    'eth_signTransaction',
    'debug_traceCall',
    'toString',
    'nonsense',
  ])('refuse the method %s', async (method) => {
    const { ask } = await newWallet()
    await expect(ask(method)).rejects.toMatchObject({ code: 4200, message: expect.stringContaining(method) })
  })

  test('are refused if they are malformed', async () => {
    const { wallet } = await newWallet()
    for (const request of [
      {},
      { method: '' },
      { method: 5 },
      { method: 'eth_call', params: 'x' },
      { method: 'eth_call', params: [1n] },
    ]) {
      await expect(wallet.request(request as { method: string })).rejects.toMatchObject({ code: -32600 })
    }
  })

  test('to sign a message are signed or rejected', async () => {
    const answers: Decision[] = ['approve', 'approve', 'approve', 'reject']
    const { ask, first, prompts } = await newWallet(() => answers.shift() ?? 'reject')
    await ask('eth_requestAccounts')
    const signature = (await ask('personal_sign', '0x68656c6c6f', first)) as Hex
    expect(await recoverMessageAddress({ message: 'hello', signature })).toBe(first)
    expect(await ask('personal_sign', 'hello', first)).toBe(signature)
    await expect(ask('personal_sign', 'hello', first)).rejects.toMatchObject({ code: 4001 })
    await expect(ask('personal_sign', 'hello', stranger)).rejects.toMatchObject({ code: 4100 })
    await expect(ask('personal_sign', 'hello')).rejects.toMatchObject({ code: -32602 })
    expect(prompts.filter(({ kind }) => kind === 'signMessage')).toHaveLength(3)
  })

  test('fail without details if the owner’s decision throws or does not match the prompt', async () => {
    const broken = await newWallet(() => {
      throw new Error('secret')
    })
    await expect(broken.ask('eth_requestAccounts')).rejects.toMatchObject({
      code: -32603,
      message: expect.not.stringContaining('secret'),
    })
    const confused = await newWallet(() => ({ adjust: { periodAmount: 1n } }))
    await expect(confused.ask('eth_requestAccounts')).rejects.toMatchObject({ code: -32603 })
  })

  test('do not notify a removed listener', async () => {
    const { wallet, ask } = await newWallet()
    const received: unknown[] = []
    const listener = (accounts: readonly Address[]) => void received.push(accounts)
    wallet.on('accountsChanged', listener)
    wallet.removeListener('accountsChanged', listener)
    await ask('eth_requestAccounts')
    expect(received).toEqual([])
  })
})
