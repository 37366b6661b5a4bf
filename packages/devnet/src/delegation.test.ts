import { DelegationManager } from '@metamask/delegation-abis'
import {
  CaveatType,
  contracts,
  createDelegation,
  createExecution,
  type Delegation,
  ExecutionMode,
  ScopeType,
} from '@metamask/smart-accounts-kit'
import { decodeRevertReason } from '@metamask/smart-accounts-kit/utils'
import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  getAbiItem,
  type Hex,
  parseUnits,
  toFunctionSelector,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Devnet, startDevnet } from './startDevnet.ts'
import { type Actors, createActors } from './testing/actors.ts'

let world: Devnet
let actors: Actors
beforeAll(async () => {
  world = await startDevnet({ port: 0 })
  actors = createActors(world)
})
afterAll(() => world.stop())

describe('a delegation from MetaMask’s kit, with MetaMask’s caveats', () => {
  it('lets the Golem pay within the owner’s limits and not one unit more', async () => {
    const { usdc, weth } = world.addresses
    const account = await actors.deployHybrid()
    await world.fund(account.address, { USDC: parseUnits('10000', 6) })
    const delegation = await delegateRunway(account)

    await pay(delegation, parseUnits('600', 6))
    expect(await actors.balanceOf(usdc, account.address)).toBe(parseUnits('9400', 6))
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
    expect(await actors.balanceOf(usdc, account.address)).toBe(parseUnits('8000', 6))
  })

  it('is revoked by the owner in one transaction without a bundler', async () => {
    const { delegationManager } = world.addresses
    const account = await actors.deployHybrid()
    await world.fund(account.address, { USDC: parseUnits('10000', 6) })
    const delegation = await delegateRunway(account)
    await pay(delegation, 1n)

    // A Hybrid account acts only for its EntryPoint or for a delegate, so the owner delegates the veto to
    // their own key.
    const veto = await sign(
      account,
      createDelegation({
        environment: world.framework,
        from: account.address,
        to: actors.owner.address,
        scope: {
          type: ScopeType.FunctionCall,
          targets: [delegationManager],
          selectors: [toFunctionSelector(getAbiItem({ abi: DelegationManager, name: 'disableDelegation' }))],
        },
      }),
    )
    const disable = contracts.DelegationManager.encode.disableDelegation({ delegation })
    await actors.send('owner', delegationManager, redeem(veto, delegationManager, disable))

    expect(await refusal(pay(delegation, 1n))).toBe('CannotUseADisabledDelegation()')
    const enable = contracts.DelegationManager.encode.enableDelegation({ delegation })
    expect(
      await refusal(actors.send('owner', delegationManager, redeem(veto, delegationManager, enable))),
    ).toBe('AllowedMethodsEnforcer:method-not-allowed')
  })
})

/** 1,000 USDC a day for a week, at most three payments, from the account to the Golem. */
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
  return actors.send('golem', world.addresses.delegationManager, redeem(delegation, token, transfer))
}

function redeem(delegation: Delegation, target: Address, callData: Hex) {
  return contracts.DelegationManager.encode.redeemDelegations({
    delegations: [[delegation]],
    modes: [ExecutionMode.SingleDefault],
    executions: [[createExecution({ target, callData })]],
  })
}

/** The chain's reason for a refusal. */
function refusal(attempt: Promise<unknown>): Promise<string | undefined> {
  return attempt.then(
    () => 'it was accepted',
    (error) => decodeRevertReason(error)?.message,
  )
}

type HybridAccount = Awaited<ReturnType<Actors['deployHybrid']>>
