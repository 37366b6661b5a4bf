import {
  createDelegation,
  Implementation,
  ROOT_AUTHORITY,
  toMetaMaskSmartAccount,
} from '@metamask/smart-accounts-kit'
import {
  encodeDelegations,
  overrideDeployedEnvironment,
  SIGNABLE_DELEGATION_TYPED_DATA,
} from '@metamask/smart-accounts-kit/utils'
import {
  type Address,
  createWalletClient,
  custom,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  hashTypedData,
  recoverAddress,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWalletWorld, type WalletWorld } from '../testing/walletWorld.ts'

let world: WalletWorld
const stranger: Address = '0x00000000000000000000000000000000000000bb'

beforeAll(async () => {
  world = await openWalletWorld()
})

afterAll(() => world.stop())

const mail = (domain: { chainId?: unknown; verifyingContract?: unknown } = {}) => ({
  types: {
    EIP712Domain: Object.keys(domain).map((name) => ({
      name,
      type: name === 'chainId' ? 'uint256' : 'address',
    })),
    Mail: [{ name: 'text', type: 'string' }],
  },
  primaryType: 'Mail',
  domain,
  message: { text: 'hello' },
})

const delegation = (delegator: string, domain: object = { name: 'DelegationManager' }) => ({
  types: { EIP712Domain: [], ...SIGNABLE_DELEGATION_TYPED_DATA },
  primaryType: 'Delegation',
  domain,
  message: {
    delegate: stranger,
    delegator,
    authority: ROOT_AUTHORITY,
    caveats: [] as { enforcer: Address; terms: Hex }[],
    salt: '0x1',
  },
})

const sign = (from: string, data: unknown) => ({ method: 'eth_signTypedData_v4', params: [from, data] })

describe('signing typed data', () => {
  test('accepts JSON or an object, and signs with the account', async () => {
    const { wallet, owner, prompts } = await world.openWallet()
    const data = mail({ chainId: 31337 })
    const signature = await wallet.request(sign(owner.address, JSON.stringify(data)))
    expect(await wallet.request(sign(owner.address.toLowerCase(), data))).toBe(signature)
    const hash = hashTypedData({
      types: { Mail: data.types.Mail },
      primaryType: 'Mail',
      domain: { chainId: 31337 },
      message: data.message,
    })
    expect(await recoverAddress({ hash, signature: signature as Hex })).toBe(owner.address)
    expect(prompts).toMatchObject([{ kind: 'signTypedData', from: owner.address }, { kind: 'signTypedData' }])
  })

  test('names what is wrong with invalid typed data', async () => {
    const { wallet, owner } = await world.openWallet()
    for (const [data, message] of [
      ['{', /expected JSON/],
      [{ ...mail(), message: undefined }, /message/],
      [{ ...mail(), primaryType: 'Letter' }, /do not declare "Letter"/],
      [mail({ verifyingContract: 'here' }), /expected an address/],
      [mail({ chainId: 'this' }), /expected a chain id/],
    ] as const) {
      const refusal = { code: -32602, message: expect.stringMatching(message) }
      await expect(wallet.request(sign(owner.address, data))).rejects.toMatchObject(refusal)
    }
  })

  test('is refused for another chain, in any number format', async () => {
    const { wallet, owner } = await world.openWallet()
    for (const chainId of [31337, '31337', '0x7a69'])
      await wallet.request(sign(owner.address, mail({ chainId })))
    for (const chainId of [1, '1', '0x1']) {
      await expect(wallet.request(sign(owner.address, mail({ chainId })))).rejects.toMatchObject({
        code: -32603,
      })
    }
  })

  test('is refused for an account that is not the page’s, and when the owner rejects', async () => {
    const { wallet, owner, prompts } = await world.openWallet({ decide: () => 'reject' })
    await expect(wallet.request(sign(stranger, mail()))).rejects.toMatchObject({ code: 4100 })
    expect(prompts).toEqual([])
    await expect(wallet.request(sign(owner.address, mail()))).rejects.toMatchObject({ code: 4001 })
  })

  test('is refused if the verifying contract is another account of the wallet, but not the signer', async () => {
    const { wallet, owner, owners, prompts } = await world.openWallet({ accounts: 2 })
    const other = owners[1]?.address ?? stranger
    for (const verifyingContract of [other, other.toLowerCase()]) {
      const asking = wallet.request(sign(owner.address, mail({ verifyingContract })))
      await expect(asking).rejects.toMatchObject({
        code: -32603,
        message: expect.stringMatching(/internal account/),
      })
    }
    expect(prompts).toEqual([])
    await wallet.request(sign(owner.address, mail({ verifyingContract: owner.address })))
    await wallet.request(sign(owner.address, mail({ verifyingContract: stranger })))
  })
})

describe('a delegation', () => {
  const refusal = {
    code: -32603,
    message: 'External signature requests cannot sign delegations for internal accounts',
  }

  test('by any account of the wallet is refused, in any letter case of its address', async () => {
    const { wallet, owner, owners, prompts } = await world.openWallet({
      accounts: 2,
      decide: () => 'approve',
    })
    for (const { address } of owners) {
      for (const delegator of [address, address.toLowerCase(), `0x${address.slice(2).toUpperCase()}`]) {
        await expect(wallet.request(sign(owner.address, delegation(delegator)))).rejects.toMatchObject(
          refusal,
        )
        await expect(
          wallet.request(sign(owner.address, JSON.stringify(delegation(delegator, {})))),
        ).rejects.toMatchObject(refusal)
      }
    }
    expect(prompts).toEqual([])
  })

  test('with a malformed delegator is refused', async () => {
    const { wallet, owner } = await world.openWallet()
    for (const delegator of [`0X${owner.address.slice(2)}`, owner.address.slice(2), '0x']) {
      const asking = wallet.request(sign(owner.address, delegation(delegator)))
      await expect(asking).rejects.toMatchObject({ code: -32602 })
    }
  })

  test('by an account that the page is not connected to is refused too', async () => {
    const { wallet, owner, owners } = await world.openWallet({
      accounts: 2,
      decide: (prompt) =>
        prompt.kind === 'connect' ? { accounts: [prompt.accounts[0] ?? stranger] } : 'approve',
    })
    await wallet.request({ method: 'wallet_requestPermissions', params: [{ eth_accounts: {} }] })
    expect(await wallet.request({ method: 'eth_accounts' })).toEqual([owner.address])
    const hidden = owners[1]?.address ?? stranger
    await expect(wallet.request(sign(owner.address, delegation(hidden)))).rejects.toMatchObject(refusal)
  })

  test('is signed as the owner saw it, even if the page changes its object meanwhile', async () => {
    const caveat = { enforcer: stranger, terms: '0x' as const }
    const data = { ...delegation(stranger), domain: {} }
    const { wallet, owner } = await world.openWallet({
      decide: () => {
        data.message.caveats.length = 0
        return 'approve'
      },
    })
    data.message.caveats.push(caveat)
    const signature = await wallet.request(sign(owner.address, data))
    const hash = hashTypedData({
      types: SIGNABLE_DELEGATION_TYPED_DATA,
      primaryType: 'Delegation',
      domain: {},
      message: {
        delegate: stranger,
        delegator: stranger,
        authority: ROOT_AUTHORITY,
        caveats: [caveat],
        salt: 1n,
      },
    })
    expect(await recoverAddress({ hash, signature: signature as Hex })).toBe(owner.address)
  })

  test('by a Hybrid account of the owner is signed and can be redeemed', async () => {
    const { wallet, owner } = await world.openWallet()
    const golem = await world.fundedAccount()
    overrideDeployedEnvironment(world.chain.id, '1.3.0', world.framework)
    const signer = createWalletClient({
      account: owner.address,
      chain: world.chain,
      transport: custom(wallet.provider),
    })
    const cage = await toMetaMaskSmartAccount({
      client: world.client,
      implementation: Implementation.Hybrid,
      deployParams: [owner.address, [], [], []],
      deploySalt: '0x',
      signer: { walletClient: signer },
    })
    const { factory, factoryData } = await cage.getFactoryArgs()
    if (!factory || !factoryData) throw new Error('The account already exists.')
    await world.client.waitForTransactionReceipt({
      hash: await signer.sendTransaction({ to: factory, data: factoryData }),
    })
    await world.fund(cage.address, { USDC: 50n })

    const unsigned = createDelegation({
      environment: world.framework,
      from: cage.address,
      to: golem.address,
      scope: { type: 'erc20TransferAmount', tokenAddress: world.addresses.usdc, maxAmount: 50n },
    })
    const signed = { ...unsigned, signature: await cage.signDelegation({ delegation: unsigned }) }
    await world.redeem(golem, encodeDelegations([signed]), {
      target: world.addresses.usdc,
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [stranger, 50n] }),
    })
    const balance = {
      address: world.addresses.usdc,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [stranger],
    } as const
    expect(await world.client.readContract(balance)).toBe(50n)
  })
})
