import { deploymentOn, targetKinds } from '@bardo/core'
import { type Devnet, devnetAccount, startDevnet } from '@bardo/devnet'
import {
  contracts,
  createExecution,
  type Delegation,
  ExecutionMode,
  Implementation,
  ROOT_AUTHORITY,
  toMetaMaskSmartAccount,
} from '@metamask/smart-accounts-kit'
import {
  type Address,
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  erc4626Abi,
  type Hex,
  http,
  keccak256,
  numberToHex,
  parseUnits,
  stringToHex,
  toFunctionSelector,
  zeroAddress,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BoundsSubject, compileBounds, type DelegationBounds } from './compileBounds.ts'

const session = devnetAccount('golem')
const owner = devnetAccount('owner')
let world: Devnet
let subject: BoundsSubject
let account: Awaited<ReturnType<typeof openAccount>>
beforeAll(async () => {
  world = await startDevnet({ port: 0 })
  account = await openAccount()
  const { usdc, usdcVault, swapRouter02 } = world.addresses
  const target = (kind: number, address: Address) => ({ kind, address, selector: '0x00000000' }) as const
  subject = {
    golem: keccak256(stringToHex('a golem of the wallets’ tests')),
    account: account.address,
    now: (await world.client.getBlock()).timestamp,
    assets: [{ token: usdc, feed: zeroAddress, maxAgeSeconds: 0, scale: 14 }],
    known: [target(targetKinds.vault, usdcVault), target(targetKinds.swapRouter02, swapRouter02)],
    slippageBps: 100,
    spreadBps: 0,
  }
})
afterAll(() => world?.stop())

describe('the four limits of a local key', () => {
  it('are each enforced on chain, and allow a batch within them', async () => {
    const { usdcVault } = world.addresses
    const root = await signedRoot({ maxTotalCalls: 2 })
    await redeem(root, deposit(usdcVault, '60'))

    expect(await refusal(root, deposit(usdcVault, '41'))).toBe('SpendLimitExceeded(uint256,uint256,uint256)')
    expect(await refusal(root, transfer('1'))).toBe('PayeeNotAllowed(address)')
    const stranger = createExecution({ target: world.addresses.swapRouter02, callData: '0x12345678' })
    expect(await refusal(root, [stranger])).toBe('TargetNotAllowed(address)')

    await redeem(root, deposit(usdcVault, '40'))
    expect(await refusal(root, deposit(usdcVault, '0.01'))).toBe('LimitedCallsEnforcer:limit-exceeded')
  })

  it('share one budget when they are signed again', async () => {
    const again = await signedRoot({ maxTotalCalls: 9 })
    expect(await refusal(again, deposit(world.addresses.usdcVault, '1'))).toBe(
      'SpendLimitExceeded(uint256,uint256,uint256)',
    )
  })

  it('expire', async () => {
    const root = await signedRoot({ maxTotalCalls: 3 })
    await world.warp(3 * 86_400)
    expect(await refusal(root, deposit(world.addresses.usdcVault, '1'))).toBe(
      'OutsideWindow(uint256,uint256,uint256)',
    )
  })

  it('are refused if they name an unsupported contract or have expired', () => {
    const bounds: DelegationBounds = {
      maxDailySpendCents: 1n,
      maxTotalCalls: 1,
      expiresAt: subject.now + 1n,
      allowedTargets: [],
    }
    const deployment = deploymentOn(31_337)
    const compile = (change: Partial<DelegationBounds>) => () =>
      compileBounds({ ...bounds, ...change }, subject, deployment)
    expect(compile({})).not.toThrow()
    expect(compile({ allowedTargets: [session.address] })).toThrow(
      expect.objectContaining({ code: 'ADDRESS_UNKNOWN' }),
    )
    expect(compile({ expiresAt: subject.now })).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }))
    expect(compile({ maxDailySpendCents: 1n << 28n })).toThrow()
  })
})

async function openAccount() {
  const hybrid = await toMetaMaskSmartAccount({
    client: world.client,
    environment: world.framework,
    implementation: Implementation.Hybrid,
    deployParams: [owner.address, [], [], []],
    deploySalt: numberToHex(77, { size: 32 }),
    signer: { account: owner },
  })
  const { factory, factoryData } = await hybrid.getFactoryArgs()
  if (!factory || !factoryData) throw new Error('no factory')
  await send(devnetAccount('operator'), factory, factoryData)
  await world.fund(hybrid.address, { USDC: parseUnits('1000', 6) })
  return hybrid
}

let salts = 0
async function signedRoot({ maxTotalCalls }: { maxTotalCalls: number }): Promise<Delegation> {
  salts += 1
  const caveats = compileBounds(
    {
      maxDailySpendCents: 10_000n,
      maxTotalCalls,
      expiresAt: subject.now + 86_400n,
      allowedTargets: [world.addresses.usdcVault],
    },
    subject,
    deploymentOn(31_337),
  )
  const delegation: Delegation = {
    delegate: session.address,
    delegator: account.address,
    authority: ROOT_AUTHORITY,
    caveats: [...caveats],
    salt: numberToHex(salts, { size: 32 }),
    signature: '0x',
  }
  return { ...delegation, signature: await account.signDelegation({ delegation }) }
}

type Executions = readonly ReturnType<typeof createExecution>[]

function deposit(vault: Address, dollars: string): Executions {
  const amount = parseUnits(dollars, 6)
  const approve = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [vault, amount] })
  const args = [amount, account.address] as const
  const put = encodeFunctionData({ abi: erc4626Abi, functionName: 'deposit', args })
  return [
    createExecution({ target: world.addresses.usdc, callData: approve }),
    createExecution({ target: vault, callData: put }),
  ]
}

function transfer(dollars: string): Executions {
  const args = [session.address, parseUnits(dollars, 6)] as const
  const callData = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
  return [createExecution({ target: world.addresses.usdc, callData })]
}

function redemption(root: Delegation, executions: Executions): Hex {
  return contracts.DelegationManager.encode.redeemDelegations({
    delegations: [[root]],
    modes: [executions.length > 1 ? ExecutionMode.BatchDefault : ExecutionMode.SingleDefault],
    executions: [[...executions]],
  })
}

const redeem = (root: Delegation, executions: Executions) =>
  send(session, world.addresses.delegationManager, redemption(root, executions))

async function send(from: typeof session, to: Address, data: Hex) {
  const wallet = createWalletClient({ account: from, chain: world.chain, transport: http(world.url) })
  const hash = await wallet.sendTransaction({ to, data })
  const { status } = await world.client.waitForTransactionReceipt({ hash })
  expect(status).toBe('success')
}

/** The name of the error that the chain returns, or its text. */
async function refusal(root: Delegation, executions: Executions): Promise<string> {
  const data = redemption(root, executions)
  const request = { to: world.addresses.delegationManager, account: session.address, data }
  const text = await world.client.call(request).then(
    () => 'it was accepted',
    (error: Error) => error.message,
  )
  const errors = [
    'SpendLimitExceeded(uint256,uint256,uint256)',
    'PayeeNotAllowed(address)',
    'TargetNotAllowed(address)',
    'OutsideWindow(uint256,uint256,uint256)',
  ]
  const name = errors.find((error) => text.includes(toFunctionSelector(error)))
  return name ?? text.match(/LimitedCallsEnforcer:[\w-]+/)?.[0] ?? text
}
