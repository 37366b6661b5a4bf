import { NonceEnforcer } from '@metamask/delegation-abis'
import type { Address } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { comparable, type GrantWorld, openGrantWorld, payee } from '../testing/grantWorld.ts'

let world: GrantWorld

beforeAll(async () => {
  world = await openGrantWorld()
})

afterAll(() => world.stop())

const expectNothingSent = async (address: Address) =>
  expect(await world.client.getTransactionCount({ address })).toBe(0)

describe('a request', () => {
  const periodic = { type: 'native-token-periodic', data: { periodAmount: '0x64', periodDuration: 86_400 } }
  const current = (more: object = {}) => ({
    chainId: '0x7a69',
    to: world.grantee.address,
    permission: { isAdjustmentAllowed: true, ...periodic },
    rules: [],
    ...more,
  })

  test('upgrades the account to a smart account with the first grant only', async () => {
    const { page, owner, prompts } = await world.openWallet()
    expect(await world.client.getCode({ address: owner.address })).toBeUndefined()
    await world.grant(page, world.periodicUsdc())
    await world.grant(page, world.periodicUsdc())
    const code = world.framework.implementations['EIP7702StatelessDeleGatorImpl'] ?? '0x'
    expect(await world.client.getCode({ address: owner.address })).toBe(
      `0xef0100${code.slice(2).toLowerCase()}`,
    )
    expect(prompts).toMatchObject([
      { kind: 'grant', from: owner.address, upgrade: true },
      { kind: 'grant', from: owner.address, upgrade: false },
    ])
  })

  test.for<[string, () => unknown, RegExp]>([
    ['an empty object', () => ({}), /chainId.*permission/],
    ['another chain', () => current({ chainId: '0x1' }), /cannot grant on chain 1/],
    [
      'an expiry that has passed',
      () => current({ rules: [{ type: 'expiry', data: { timestamp: 1 } }] }),
      /future/,
    ],
  ])('is refused for %s with -32602, without a prompt', async ([, request, message]) => {
    const { wallet, prompts } = await world.openWallet()
    const asking = wallet.request({ method: 'wallet_requestExecutionPermissions', params: [request()] })
    await expect(asking).rejects.toMatchObject({ code: -32602, message: expect.stringMatching(message) })
    await expect(
      wallet.request({ method: 'wallet_requestExecutionPermissions', params: [] }),
    ).rejects.toMatchObject({ code: -32602 })
    expect(prompts).toEqual([])
  })

  test('is unauthorized for an account that is not the page’s and for a page without accounts', async () => {
    const { wallet, page, prompts } = await world.openWallet()
    const foreign = world.grant(page, world.periodicUsdc(), { from: world.grantee.address })
    await expect(foreign).rejects.toMatchObject({ code: 4100 })
    wallet.disconnect()
    await expect(world.grant(page, world.periodicUsdc())).rejects.toMatchObject({ code: 4100 })
    expect(prompts).toEqual([])
  })

  test('uses the selected account, or the one that it names', async () => {
    const { wallet, page, owners } = await world.openWallet({ accounts: 2 })
    const [first, second] = owners.map(({ address }) => address)
    if (!first || !second) throw new Error('Two accounts were requested.')
    wallet.selectAccount(second)
    expect(await world.grant(page, world.periodicUsdc())).toMatchObject({ from: second })
    expect(await world.grant(page, world.periodicUsdc(), { from: first })).toMatchObject({ from: first })
  })

  test('by the older method name takes the older format; by the newer name it does not', async () => {
    const { wallet, owner } = await world.openWallet()
    const expiry = (await world.now()) + 600
    const signer = { type: 'account', data: { address: world.grantee.address } }
    const older = { chainId: '0x7a69', address: owner.address, expiry, signer, permission: periodic }
    const ask = (method: string, request: object) => wallet.request({ method, params: [request] })
    expect(await ask('wallet_grantPermissions', older)).toMatchObject([
      {
        from: owner.address,
        to: world.grantee.address,
        rules: [{ type: 'expiry', data: { timestamp: expiry } }],
      },
    ])
    await expect(ask('wallet_requestExecutionPermissions', older)).rejects.toMatchObject({ code: -32602 })
    expect(await ask('wallet_grantPermissions', current())).toMatchObject([
      { from: owner.address, rules: [] },
    ])
  })

  test('for the supported permissions is answered by type, chain and rule', async () => {
    const { page } = await world.openWallet()
    const supported = await page.getSupportedExecutionPermissions()
    expect(Object.keys(supported)).toHaveLength(7)
    const ruleTypes = ['expiry', 'redeemer', 'payee']
    expect(supported['erc20-token-periodic']).toEqual({ chainIds: [world.chain.id], ruleTypes })
  })
})

describe('the owner', () => {
  test('may grant less for a shorter time: exactly that is returned and signed', async () => {
    const now = await world.now()
    const adjust = { periodAmount: 40n, expiry: now + 600 }
    const { page } = await world.openWallet({ decide: () => ({ adjust }) })
    const granted = await world.grant(page, world.periodicUsdc(), { expiry: now + 7_200, payee: [payee] })
    expect(granted.permission.data).toMatchObject({ periodAmount: 40n, periodDuration: 86_400 })
    expect(granted.rules).toHaveLength(2)
    expect(granted.rules).toContainEqual({ type: 'expiry', data: { timestamp: now + 600 } })
    const [decoded] = world.decode(granted.context)
    expect(comparable(decoded?.data)).toEqual(comparable(granted.permission.data))
    expect(decoded?.rules.map(({ type }) => type)).toEqual(['expiry', 'payee'])
    await expect(world.use(granted.context, world.sendUsdc(41n))).rejects.toThrow(/transfer-amount-exceeded/)
    await world.use(granted.context, world.sendUsdc(39n))
    await world.warp(600)
    await expect(world.use(granted.context, world.sendUsdc(1n))).rejects.toThrow(/expired-delegation/)
  })

  test('may remove the expiry', async () => {
    const { page } = await world.openWallet({ decide: () => ({ adjust: { expiry: null } }) })
    const granted = await world.grant(page, world.periodicUsdc(), { expiry: (await world.now()) + 600 })
    expect(granted.rules).toEqual([])
    expect(world.decode(granted.context)).toMatchObject([{ rules: [] }])
  })

  test('may not change a permission that the page fixed, but may always set its expiry', async () => {
    const pinned = await world.openWallet({ decide: () => ({ adjust: { periodAmount: 40n } }) })
    await expect(world.grant(pinned.page, world.periodicUsdc(false))).rejects.toThrow(
      /does not allow changes/,
    )
    await expectNothingSent(pinned.owner.address)

    const expiry = (await world.now()) + 600
    const ended = await world.openWallet({ decide: () => ({ adjust: { expiry } }) })
    const granted = await world.grant(ended.page, world.periodicUsdc(false))
    expect(granted.rules).toEqual([{ type: 'expiry', data: { timestamp: expiry } }])
  })

  test.for([{ periodAmount: 0n }, { expiry: 1 }, { amountPerSecond: 1n }])(
    'cannot make a permission invalid: %o',
    async (adjust) => {
      const { page, owner } = await world.openWallet({ decide: () => ({ adjust }) })
      await expect(world.grant(page, world.periodicUsdc())).rejects.toMatchObject({ code: -32603 })
      await expectNothingSent(owner.address)
    },
  )

  test('who rejects one of two requests grants neither', async () => {
    let answers = 0
    const { page, owner } = await world.openWallet({ decide: () => (answers++ === 0 ? 'approve' : 'reject') })
    const both = [world.ask(world.periodicUsdc()), world.ask(world.periodicEther())]
    await expect(page.requestExecutionPermissions(both)).rejects.toMatchObject({ code: 4001 })
    expect(answers).toBe(2)
    await expectNothingSent(owner.address)
    expect(await page.getGrantedExecutionPermissions()).toEqual([])
  })
})

describe('revoking', () => {
  test('ends the grant on chain and removes it from the list', async () => {
    const { wallet, page, prompts } = await world.openWallet()
    const revoked = await world.grant(page, world.periodicUsdc())
    const remaining = await world.grant(page, world.periodicEther())
    expect(await page.getGrantedExecutionPermissions()).toEqual([revoked, remaining])

    const request = {
      method: 'wallet_revokeExecutionPermission',
      params: { permissionContext: revoked.context },
    }
    expect(await wallet.request(request)).toEqual({})
    expect(prompts.at(-1)).toMatchObject({ kind: 'revoke', context: revoked.context })
    await expect(world.use(revoked.context, world.sendUsdc(1n))).rejects.toThrow(
      /CannotUseADisabledDelegation/,
    )
    await world.use(remaining.context, world.sendEther(1n))
    expect(await page.getGrantedExecutionPermissions()).toEqual([remaining])
    await expect(wallet.request(request)).rejects.toMatchObject({ code: -32602 })
    wallet.disconnect()
    expect(await page.getGrantedExecutionPermissions()).toEqual([])
  })

  test('does nothing when the owner rejects it, and refuses unknown grants', async () => {
    const { wallet, page } = await world.openWallet({
      decide: ({ kind }) => (kind === 'revoke' ? 'reject' : 'approve'),
    })
    const { context } = await world.grant(page, world.periodicUsdc())
    const revoke = (permissionContext: string) =>
      wallet.request({ method: 'wallet_revokeExecutionPermission', params: [{ permissionContext }] })
    await expect(revoke(context)).rejects.toMatchObject({ code: 4001 })
    await world.use(context, world.sendUsdc(1n))
    await expect(revoke('0x1234')).rejects.toMatchObject({ code: -32602 })
  })

  test('everything at once takes one transaction that raises the account’s nonce', async () => {
    const { page, owner } = await world.openWallet()
    const { context } = await world.grant(page, world.periodicUsdc())
    const hash = await page.writeContract({
      account: owner.address,
      address: world.framework.caveatEnforcers['NonceEnforcer'] ?? '0x',
      abi: NonceEnforcer,
      functionName: 'incrementNonce',
      args: [world.framework.DelegationManager],
    })
    await world.client.waitForTransactionReceipt({ hash })
    await expect(world.use(context, world.sendUsdc(1n))).rejects.toThrow(/NonceEnforcer:invalid-nonce/)
    const { context: next } = await world.grant(page, world.periodicUsdc())
    await world.use(next, world.sendUsdc(1n))
  })
})
