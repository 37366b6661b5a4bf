import { usdc as usdcArtifact, usdcVault } from '@bardo/contracts'
import { DelegationManager } from '@metamask/delegation-abis'
import {
  CaveatType,
  contracts,
  createDelegation,
  createExecution,
  type Delegation,
  ExecutionMode,
  Implementation,
  ScopeType,
  toMetaMaskSmartAccount,
} from '@metamask/smart-accounts-kit'
import { decodeRevertReason } from '@metamask/smart-accounts-kit/utils'
import {
  type Address,
  createWalletClient,
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  erc20Abi,
  getAbiItem,
  type Hex,
  http,
  maxUint256,
  numberToHex,
  parseAbi,
  parseAbiParameters,
  parseEther,
  parseSignature,
  parseUnits,
  toFunctionSelector,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { devnetAccount, type Role } from './accounts.ts'
import { type Devnet, startDevnet } from './startDevnet.ts'
import { positionManagerAbi, quoterV2Abi, swapRouter02Abi, universalRouterAbi } from './uniswap/abis.ts'

let world: Devnet
beforeAll(async () => {
  world = await startDevnet({ port: 0 })
})
afterAll(() => world.stop())

const owner = devnetAccount('owner')

/** Signs and sends as one of the world's people, and insists that it worked. */
async function send(role: Role, to: Address, data: Hex) {
  const wallet = createWalletClient({
    account: devnetAccount(role),
    chain: world.chain,
    transport: http(world.url),
  })
  const receipt = await world.client.waitForTransactionReceipt({
    hash: await wallet.sendTransaction({ to, data }),
  })
  expect(receipt.status).toBe('success')
  return receipt
}

const approve = (spender: Address, amount: bigint) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] })

const balanceOf = (token: Address, account: Address) =>
  world.client.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [account] })

describe('trading by hand', () => {
  it('swaps through SwapRouter02 for exactly what QuoterV2 quotes, close to the price', async () => {
    const { usdc, weth, swapRouter02, quoterV2 } = world.addresses
    const amountIn = parseUnits('3000', 6)
    const { result } = await world.client.simulateContract({
      address: quoterV2,
      abi: quoterV2Abi,
      functionName: 'quoteExactInputSingle',
      args: [{ tokenIn: usdc, tokenOut: weth, amountIn, fee: 500, sqrtPriceLimitX96: 0n }],
    })
    const before = await balanceOf(weth, owner.address)
    await send('owner', usdc, approve(swapRouter02, amountIn))
    await send(
      'owner',
      swapRouter02,
      encodeFunctionData({
        abi: swapRouter02Abi,
        functionName: 'exactInputSingle',
        args: [
          {
            tokenIn: usdc,
            tokenOut: weth,
            fee: 500,
            recipient: owner.address,
            amountIn,
            amountOutMinimum: result[0],
            sqrtPriceLimitX96: 0n,
          },
        ],
      }),
    )
    const received = (await balanceOf(weth, owner.address)) - before
    expect(received).toBe(result[0])
    // One WETH less the fee of 0.05 % and an impact that a deep pool hardly shows.
    expect(received).toBeGreaterThan(parseEther('0.9994'))
    expect(received).toBeLessThan(parseEther('0.9996'))
  })

  it('swaps USDC to WBTC across both pools', async () => {
    const { usdc, weth, wbtc, swapRouter02 } = world.addresses
    const amountIn = parseUnits('9000', 6)
    const before = await balanceOf(wbtc, owner.address)
    await send('owner', usdc, approve(swapRouter02, amountIn))
    const path = encodePacked(
      ['address', 'uint24', 'address', 'uint24', 'address'],
      [usdc, 500, weth, 3000, wbtc],
    )
    await send(
      'owner',
      swapRouter02,
      encodeFunctionData({
        abi: swapRouter02Abi,
        functionName: 'exactInput',
        args: [{ path, recipient: owner.address, amountIn, amountOutMinimum: 0n }],
      }),
    )
    const received = (await balanceOf(wbtc, owner.address)) - before
    expect(received).toBeGreaterThan(parseUnits('0.0995', 8))
    expect(received).toBeLessThan(parseUnits('0.1', 8))
  })

  it('swaps through UniversalRouter with Permit2', async () => {
    const { usdc, weth, permit2, universalRouter } = world.addresses
    const amountIn = parseUnits('300', 6)
    const before = await balanceOf(weth, owner.address)
    await send('owner', usdc, approve(permit2, amountIn))
    await send(
      'owner',
      permit2,
      encodeFunctionData({
        abi: parseAbi([
          'function approve(address token, address spender, uint160 amount, uint48 expiration)',
        ]),
        functionName: 'approve',
        args: [usdc, universalRouter, amountIn, 2 ** 48 - 1],
      }),
    )
    const path = encodePacked(['address', 'uint24', 'address'], [usdc, 500, weth])
    const v3SwapExactIn = '0x00'
    const input = encodeAbiParameters(
      parseAbiParameters(
        'address recipient, uint256 amountIn, uint256 amountOutMin, bytes path, bool payerIsUser',
      ),
      [owner.address, amountIn, 0n, path, true],
    )
    await send(
      'owner',
      universalRouter,
      encodeFunctionData({
        abi: universalRouterAbi,
        functionName: 'execute',
        args: [v3SwapExactIn, [input], maxUint256],
      }),
    )
    expect((await balanceOf(weth, owner.address)) - before).toBeGreaterThan(parseEther('0.0999'))
  })

  it('adds liquidity through NonfungiblePositionManager', async () => {
    const { usdc, weth, nonfungiblePositionManager: manager } = world.addresses
    const [amount0Desired, amount1Desired] = [parseUnits('3000', 6), parseEther('1')]
    await send('owner', usdc, approve(manager, amount0Desired))
    await send('owner', weth, approve(manager, amount1Desired))
    const held = () =>
      world.client.readContract({
        address: manager,
        abi: positionManagerAbi,
        functionName: 'balanceOf',
        args: [owner.address],
      })
    expect(await held()).toBe(0n)
    await send(
      'owner',
      manager,
      encodeFunctionData({
        abi: positionManagerAbi,
        functionName: 'mint',
        args: [
          {
            token0: usdc,
            token1: weth,
            fee: 500,
            tickLower: 190_000,
            tickUpper: 205_000,
            amount0Desired,
            amount1Desired,
            amount0Min: 0n,
            amount1Min: 0n,
            recipient: owner.address,
            deadline: maxUint256,
          },
        ],
      }),
    )
    expect(await held()).toBe(1n)
  })

  it('deposits into the vault and redeems with the yield somebody paid in', async () => {
    const { usdc, usdcVault: vault } = world.addresses
    const amount = parseUnits('1000', 6)
    await send('owner', usdc, approve(vault, amount))
    await send(
      'owner',
      vault,
      encodeFunctionData({ abi: usdcVault.abi, functionName: 'deposit', args: [amount, owner.address] }),
    )
    const shares = await balanceOf(vault, owner.address)
    expect(shares).toBe(amount)

    await world.fund(vault, { USDC: parseUnits('100100', 6) })
    const before = await balanceOf(usdc, owner.address)
    const redeem = encodeFunctionData({
      abi: usdcVault.abi,
      functionName: 'redeem',
      args: [shares, owner.address, owner.address],
    })
    await send('owner', vault, redeem)
    const received = (await balanceOf(usdc, owner.address)) - before
    expect(amount + parseUnits('100', 6) - received).toBeLessThanOrEqual(1n)
  })
})

describe('USDC', () => {
  const transferTypes = {
    TransferWithAuthorization: [
      { name: 'from', type: 'address' },
      { name: 'to', type: 'address' },
      { name: 'value', type: 'uint256' },
      { name: 'validAfter', type: 'uint256' },
      { name: 'validBefore', type: 'uint256' },
      { name: 'nonce', type: 'bytes32' },
    ],
  } as const
  const domain = () =>
    ({
      name: 'USD Coin',
      version: '2',
      chainId: world.chainId,
      verifyingContract: world.addresses.usdc,
    }) as const

  const authorization = (from: Address, nonce: bigint) =>
    ({
      from,
      to: world.accounts.payee,
      value: parseUnits('25', 6),
      validAfter: 0n,
      validBefore: maxUint256,
      nonce: numberToHex(nonce, { size: 32 }),
    }) as const

  const transferData = (
    message: ReturnType<typeof authorization>,
    signature: Hex,
    form: 'bytes' | 'v,r,s',
  ) => {
    const args = [
      message.from,
      message.to,
      message.value,
      message.validAfter,
      message.validBefore,
      message.nonce,
    ] as const
    if (form === 'bytes')
      return encodeFunctionData({
        abi: usdcArtifact.abi,
        functionName: 'transferWithAuthorization',
        args: [...args, signature],
      })
    const { r, s, yParity } = parseSignature(signature)
    return encodeFunctionData({
      abi: usdcArtifact.abi,
      functionName: 'transferWithAuthorization',
      args: [...args, yParity + 27, r, s],
    })
  }

  it.each(['bytes', 'v,r,s'] as const)('moves by an EIP-3009 authorization (%s), once', async (form) => {
    const message = authorization(owner.address, form === 'bytes' ? 1n : 2n)
    const signature = await owner.signTypedData({
      domain: domain(),
      types: transferTypes,
      primaryType: 'TransferWithAuthorization',
      message,
    })
    const data = transferData(message, signature, form)
    const before = await balanceOf(world.addresses.usdc, message.to)
    await send('operator', world.addresses.usdc, data)
    expect((await balanceOf(world.addresses.usdc, message.to)) - before).toBe(message.value)
    const again = world.client.call({ account: world.accounts.operator, to: world.addresses.usdc, data })
    await expect(again).rejects.toThrow()
  })

  it.each(['bytes', 'v,r,s'] as const)(
    'refuses an authorization that somebody else signed (%s)',
    async (form) => {
      const message = authorization(owner.address, 3n)
      const signature = await devnetAccount('stranger').signTypedData({
        domain: domain(),
        types: transferTypes,
        primaryType: 'TransferWithAuthorization',
        message,
      })
      const data = transferData(message, signature, form)
      await expect(world.client.call({ to: world.addresses.usdc, data })).rejects.toThrow()
    },
  )

  it('accepts the authorization of a smart account (ERC-1271)', async () => {
    const account = await deployHybrid()
    await world.fund(account.address, { USDC: parseUnits('100', 6) })
    const message = authorization(account.address, 4n)
    const signature = await account.signTypedData({
      domain: domain(),
      types: transferTypes,
      primaryType: 'TransferWithAuthorization',
      message,
    })
    await send('operator', world.addresses.usdc, transferData(message, signature, 'bytes'))
    expect(await balanceOf(world.addresses.usdc, account.address)).toBe(parseUnits('75', 6))
  })

  it('approves by an EIP-2612 permit', async () => {
    const message = {
      owner: owner.address,
      spender: world.accounts.golem,
      value: 5n,
      nonce: 0n,
      deadline: maxUint256,
    } as const
    const signature = await owner.signTypedData({
      domain: domain(),
      types: {
        Permit: [
          { name: 'owner', type: 'address' },
          { name: 'spender', type: 'address' },
          { name: 'value', type: 'uint256' },
          { name: 'nonce', type: 'uint256' },
          { name: 'deadline', type: 'uint256' },
        ],
      },
      primaryType: 'Permit',
      message,
    })
    const { r, s, yParity } = parseSignature(signature)
    await send(
      'operator',
      world.addresses.usdc,
      encodeFunctionData({
        abi: usdcArtifact.abi,
        functionName: 'permit',
        args: [message.owner, message.spender, message.value, message.deadline, yParity + 27, r, s],
      }),
    )
    const allowance = await world.client.readContract({
      address: world.addresses.usdc,
      abi: erc20Abi,
      functionName: 'allowance',
      args: [owner.address, world.accounts.golem],
    })
    expect(allowance).toBe(5n)
  })
})

describe('a delegation from MetaMask’s kit, with stock caveats', () => {
  it('lets the golem pay inside the owner’s bounds and not one unit beyond', async () => {
    const { usdc, weth } = world.addresses
    const account = await deployHybrid()
    await world.fund(account.address, { USDC: parseUnits('10000', 6) })
    const delegation = await delegateRunway(account)

    await pay(delegation, parseUnits('600', 6))
    expect(await balanceOf(usdc, account.address)).toBe(parseUnits('9400', 6))
    expect(await refusal(pay(delegation, parseUnits('400.000001', 6)))).toBe(
      'ERC20PeriodTransferEnforcer:transfer-amount-exceeded',
    )
    expect(await refusal(pay(delegation, 1n, weth))).toBe('ERC20PeriodTransferEnforcer:invalid-contract')
    await pay(delegation, parseUnits('400', 6))

    await world.warp(86_400)
    await pay(delegation, parseUnits('1000', 6))
    expect(await refusal(pay(delegation, 0n))).toBe('LimitedCallsEnforcer:limit-exceeded')

    await world.warp(6 * 86_400)
    expect(await refusal(pay(delegation, 1n))).toBe('TimestampEnforcer:expired-delegation')
    expect(await balanceOf(usdc, account.address)).toBe(parseUnits('8000', 6))
  })

  it('ends when the owner says so, in one plain transaction without a bundler', async () => {
    const { delegationManager } = world.addresses
    const account = await deployHybrid()
    await world.fund(account.address, { USDC: parseUnits('10000', 6) })
    const delegation = await delegateRunway(account)
    await pay(delegation, 1n)

    // A Hybrid account only moves for its EntryPoint or for a delegate: so the owner delegates the veto to their own key.
    const veto = await sign(
      account,
      createDelegation({
        environment: world.framework,
        from: account.address,
        to: owner.address,
        scope: {
          type: ScopeType.FunctionCall,
          targets: [delegationManager],
          selectors: [toFunctionSelector(getAbiItem({ abi: DelegationManager, name: 'disableDelegation' }))],
        },
      }),
    )
    const disable = contracts.DelegationManager.encode.disableDelegation({ delegation })
    await send('owner', delegationManager, redeem(veto, delegationManager, disable))

    expect(await refusal(pay(delegation, 1n))).toBe('CannotUseADisabledDelegation()')
    const enable = contracts.DelegationManager.encode.enableDelegation({ delegation })
    expect(await refusal(send('owner', delegationManager, redeem(veto, delegationManager, enable)))).toBe(
      'AllowedMethodsEnforcer:method-not-allowed',
    )
  })
})

/** 1,000 USDC a day for a week, three payments at most, from the account to the golem. */
async function delegateRunway(account: HybridAccount) {
  const now = Number((await world.client.getBlock()).timestamp)
  return sign(
    account,
    createDelegation({
      environment: world.framework,
      from: account.address,
      to: world.accounts.golem,
      scope: {
        type: ScopeType.Erc20PeriodTransfer,
        tokenAddress: world.addresses.usdc,
        periodAmount: parseUnits('1000', 6),
        periodDuration: 86_400,
        startDate: now,
      },
      caveats: [
        { type: CaveatType.Timestamp, afterThreshold: now - 1, beforeThreshold: now + 7 * 86_400 },
        { type: CaveatType.LimitedCalls, limit: 3 },
      ],
    }),
  )
}

async function sign(account: HybridAccount, delegation: Delegation): Promise<Delegation> {
  return { ...delegation, signature: await account.signDelegation({ delegation }) }
}

function pay(delegation: Delegation, amount: bigint, token = world.addresses.usdc) {
  const args = [world.accounts.payee, amount] as const
  const transfer = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
  return send('golem', world.addresses.delegationManager, redeem(delegation, token, transfer))
}

function redeem(delegation: Delegation, target: Address, callData: Hex) {
  return contracts.DelegationManager.encode.redeemDelegations({
    delegations: [[delegation]],
    modes: [ExecutionMode.SingleDefault],
    executions: [[createExecution({ target, callData })]],
  })
}

/** Why the chain refused. */
function refusal(attempt: Promise<unknown>): Promise<string | undefined> {
  return attempt.then(
    () => 'it was accepted',
    (error) => decodeRevertReason(error)?.message,
  )
}

type HybridAccount = Awaited<ReturnType<typeof deployHybrid>>

let accounts = 0

/** A Hybrid smart account of the owner's, a new one at each call, deployed by the operator. */
async function deployHybrid() {
  accounts += 1
  const account = await toMetaMaskSmartAccount({
    client: world.client,
    environment: world.framework,
    implementation: Implementation.Hybrid,
    deployParams: [owner.address, [], [], []],
    deploySalt: numberToHex(accounts, { size: 32 }),
    signer: { account: owner },
  })
  const { factory, factoryData } = await account.getFactoryArgs()
  if (factory && factoryData) await send('operator', factory, factoryData)
  return account
}
