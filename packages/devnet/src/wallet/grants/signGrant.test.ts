import type { PermissionTypes } from '@metamask/smart-accounts-kit/actions'
import { encodeFunctionData, erc20Abi, isAddressEqual, maxUint256 } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { comparable, type GrantWorld, openGrantWorld, payee, stranger } from '../testing/grantWorld.ts'
import type { Execution } from '../testing/walletWorld.ts'

let world: GrantWorld

beforeAll(async () => {
  world = await openGrantWorld()
})

afterAll(() => world.stop())

type Case = {
  readonly permission: () => PermissionTypes
  /** A call within the limit, and one that exceeds it right after. */
  readonly spend: () => Execution
  readonly more: () => Execution
  readonly refusal: RegExp
  /** Whether the budget renews with time alone. */
  readonly renews: boolean
}

const isAdjustmentAllowed = true

const cases: Record<string, Case> = {
  'erc20-token-periodic': {
    permission: () => world.periodicUsdc(),
    spend: () => world.sendUsdc(100n),
    more: () => world.sendUsdc(1n),
    refusal: /ERC20PeriodTransferEnforcer:transfer-amount-exceeded/,
    renews: true,
  },
  'erc20-token-allowance': {
    permission: () => ({
      type: 'erc20-token-allowance',
      isAdjustmentAllowed,
      data: { tokenAddress: world.addresses.usdc, allowanceAmount: 100n },
    }),
    spend: () => world.sendUsdc(100n),
    more: () => world.sendUsdc(1n),
    refusal: /ERC20PeriodTransferEnforcer:transfer-amount-exceeded/,
    renews: false,
  },
  'erc20-token-stream': {
    permission: () => ({
      type: 'erc20-token-stream',
      isAdjustmentAllowed,
      data: { tokenAddress: world.addresses.usdc, initialAmount: 100n, maxAmount: 150n, amountPerSecond: 1n },
    }),
    spend: () => world.sendUsdc(100n),
    more: () => world.sendUsdc(51n),
    refusal: /ERC20StreamingEnforcer:allowance-exceeded/,
    renews: false,
  },
  'native-token-periodic': {
    permission: () => world.periodicEther(),
    spend: () => world.sendEther(100n),
    more: () => world.sendEther(1n),
    refusal: /NativeTokenPeriodTransferEnforcer:transfer-amount-exceeded/,
    renews: true,
  },
  'native-token-allowance': {
    permission: () => ({
      type: 'native-token-allowance',
      isAdjustmentAllowed,
      data: { allowanceAmount: 100n },
    }),
    spend: () => world.sendEther(100n),
    more: () => world.sendEther(1n),
    refusal: /NativeTokenPeriodTransferEnforcer:transfer-amount-exceeded/,
    renews: false,
  },
  'native-token-stream': {
    permission: () => ({
      type: 'native-token-stream',
      isAdjustmentAllowed,
      data: { initialAmount: 100n, maxAmount: 150n, amountPerSecond: 1n },
    }),
    spend: () => world.sendEther(100n),
    more: () => world.sendEther(51n),
    refusal: /NativeTokenStreamingEnforcer:allowance-exceeded/,
    renews: false,
  },
}

describe('a grant', () => {
  test.for(Object.entries(cases))(
    'of %s matches the request, decodes with MetaMask’s decoder, and is enforced on chain',
    async ([type, { permission, spend, more, refusal, renews }]) => {
      const { page, owner } = await world.openWallet()
      const granted = await world.grant(page, permission())
      expect(granted).toMatchObject({
        chainId: world.chain.id,
        from: owner.address,
        to: world.grantee.address,
        permission: permission(),
        rules: [],
        dependencies: [],
        delegationManager: world.framework.DelegationManager,
      })

      const decoded = world.decode(granted.context)
      expect(decoded).toMatchObject([{ type, rules: [] }])
      expect(comparable(decoded[0]?.data)).toEqual(comparable(granted.permission.data))

      await world.use(granted.context, spend())
      await expect(world.use(granted.context, more())).rejects.toThrow(refusal)
      await world.warp(86_400)
      if (renews) await world.use(granted.context, more())
      else await expect(world.use(granted.context, more())).rejects.toThrow(refusal)
    },
  )

  test('moves only what it is for', async () => {
    const { page } = await world.openWallet()
    const tokens = await world.grant(page, world.periodicUsdc())
    const ether = await world.grant(page, world.periodicEther())
    const withEther = { ...world.sendUsdc(1n), value: 1n }
    const withData = { ...world.sendEther(1n), data: '0x12' } as const
    await expect(world.use(tokens.context, withEther)).rejects.toThrow(/ValueLteEnforcer:value-too-high/)
    await expect(world.use(ether.context, withData)).rejects.toThrow(/ExactCalldataEnforcer:invalid-calldata/)
    await expect(
      world.redeem(await world.fundedAccount(), ether.context, world.sendEther(1n)),
    ).rejects.toThrow(/InvalidDelegate/)
  })

  test('of a stream without limits starts now at zero and never ends', async () => {
    const { page } = await world.openWallet()
    const startTime = await world.now()
    const data = { amountPerSecond: 1n }
    const granted = await world.grant(page, { type: 'native-token-stream', isAdjustmentAllowed, data })
    expect(comparable(granted.permission.data)).toMatchObject({
      initialAmount: 0n,
      maxAmount: maxUint256,
      startTime: BigInt(startTime),
    })
  })

  test('to revoke approvals only revokes', async () => {
    const { page, owner } = await world.openWallet()
    const { usdc } = world.addresses
    const approval = (amount: bigint) =>
      encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [payee, amount] })
    const hash = await page.sendTransaction({ account: owner.address, to: usdc, data: approval(5n) })
    await world.client.waitForTransactionReceipt({ hash })
    const granted = await world.grant(page, {
      type: 'token-approval-revocation',
      isAdjustmentAllowed,
      data: {
        erc20Approve: true,
        erc721Approve: false,
        erc721SetApprovalForAll: false,
        permit2Approve: false,
        permit2Lockdown: false,
        permit2InvalidateNonces: false,
      },
    })
    expect(world.decode(granted.context)).toMatchObject([{ type: 'token-approval-revocation' }])
    const approve = (amount: bigint) => world.use(granted.context, { target: usdc, data: approval(amount) })
    await expect(approve(6n)).rejects.toThrow(/ApprovalRevocationEnforcer/)
    await approve(0n)
    const allowance = {
      address: usdc,
      abi: erc20Abi,
      functionName: 'allowance',
      args: [owner.address, payee],
    } as const
    expect(await world.client.readContract(allowance)).toBe(0n)
  })

  test('is never signed twice: two equal grants have two salts and two budgets', async () => {
    const { page } = await world.openWallet()
    const contexts = [
      await world.grant(page, world.periodicUsdc()),
      await world.grant(page, world.periodicUsdc()),
    ]
    for (const { context } of contexts) await world.use(context, world.sendUsdc(100n))
  })
})

describe('a rule', () => {
  test('for the expiry ends the grant at that second', async () => {
    const { page } = await world.openWallet()
    const expiry = (await world.now()) + 3_600
    const { context } = await world.grant(page, world.periodicUsdc(), { expiry })
    expect(world.decode(context)).toMatchObject([
      { rules: [{ type: 'expiry', data: { timestamp: expiry } }] },
    ])
    await world.use(context, world.sendUsdc(1n))
    await world.warp(3_600)
    await expect(world.use(context, world.sendUsdc(1n))).rejects.toThrow(
      /TimestampEnforcer:expired-delegation/,
    )
  })

  test('for the payee lets ERC-20 tokens go only to the payee', async () => {
    const { page } = await world.openWallet()
    const { context } = await world.grant(page, world.periodicUsdc(), { payee: [payee] })
    const [rule] = world.decode(context)[0]?.rules ?? []
    expect(rule?.type).toBe('payee')
    expect(isAddressEqual(rule?.data['addresses'][0], payee)).toBe(true)
    await world.use(context, world.sendUsdc(1n))
    await expect(world.use(context, world.sendUsdc(1n, stranger))).rejects.toThrow(
      /AllowedCalldataEnforcer:invalid-calldata/,
    )
  })

  test('for the payee lets ether go only to any of several payees', async () => {
    const { page } = await world.openWallet()
    const payees = [payee, world.grantee.address]
    const { context } = await world.grant(page, world.periodicEther(), { payee: payees })
    for (const to of payees) await world.use(context, world.sendEther(1n, to))
    await expect(world.use(context, world.sendEther(1n, stranger))).rejects.toThrow(
      /AllowedTargetsEnforcer:target-address-not-allowed/,
    )
  })

  test('for the redeemer excludes all others, including the grantee', async () => {
    const { page } = await world.openWallet()
    const closed = await world.grant(page, world.periodicUsdc(), { redeemer: [stranger] })
    const open = await world.grant(page, world.periodicUsdc(), { redeemer: [world.grantee.address] })
    await expect(world.use(closed.context, world.sendUsdc(1n))).rejects.toThrow(
      /RedeemerEnforcer:unauthorized-redeemer/,
    )
    await world.use(open.context, world.sendUsdc(1n))
  })
})
