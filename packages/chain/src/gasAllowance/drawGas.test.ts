import { metamaskCaveat, metamaskKinds, phases, rootAuthority, signDelegation } from '@bardo/core'
import { parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { redeem } from '../redemption/redeem.ts'
import { openRedemptionWorld, type RedemptionWorld } from '../testing/redemptionWorld.ts'
import { decideGasDraw } from './decideGasDraw.ts'
import { drawGas } from './drawGas.ts'
import { signGasDraw } from './signGasDraw.ts'

const [thriving, , conservation, , terminal] = phases

describe('a gas draw', () => {
  let world: RedemptionWorld
  beforeAll(async () => {
    world = await openRedemptionWorld()
  })
  afterAll(() => world?.stop())

  /** An allowance of 0.05 ETH a day, and a key that already has some ETH. */
  async function open() {
    const { account } = await world.hybridOwner()
    await world.fund(account.address, { ETH: parseEther('1') })
    const redeemer = world.directRedeemer(await world.sessionKey())
    await world.god.setBalance({ address: redeemer.address, value: parseEther('0.01') })
    const { timestamp: start } = await world.client.getBlock()
    const period = { amount: parseEther('0.05'), periodSeconds: 86_400n, start }
    const allowance = await signGasDraw(account, { delegate: redeemer.address, allowance: period })
    return { account, redeemer, allowance, period }
  }

  it('refills up to the ceiling, limited by the phase’s share of the allowance', async () => {
    const { redeemer, allowance } = await open()
    const levels = { allowance, floor: parseEther('0.02'), ceiling: parseEther('0.04') }
    const first = await drawGas(redeemer, { id: 'g1', ...levels, phase: thriving })
    expect(first.amount).toBe(parseEther('0.03'))
    expect(first.landed?.status).toBe('success')
    // The balance is high enough: nothing is sent.
    expect(await drawGas(redeemer, { id: 'g2', ...levels, phase: thriving })).toEqual({
      amount: 0n,
      landed: undefined,
    })
    await world.god.setBalance({ address: redeemer.address, value: parseEther('0.01') })
    // Half of 0.05 is less than the 0.03 already drawn.
    expect((await drawGas(redeemer, { id: 'g3', ...levels, phase: conservation })).amount).toBe(0n)
    expect((await drawGas(redeemer, { id: 'g4', ...levels, phase: terminal })).amount).toBe(0n)
    expect((await drawGas(redeemer, { id: 'g5', ...levels, phase: thriving })).amount).toBe(
      parseEther('0.02'),
    )
    await world.warp(86_400)
    await world.god.setBalance({ address: redeemer.address, value: parseEther('0.01') })
    expect((await drawGas(redeemer, { id: 'g6', ...levels, phase: conservation })).amount).toBe(
      parseEther('0.025'),
    )
  })

  it('is the only use of the allowance', async () => {
    const { account, redeemer, allowance, period } = await open()
    const { usdc } = world.addresses
    const theft = [world.transferCall(usdc, world.accounts.stranger, 1n)]
    const attempt = (
      id: string,
      links: (typeof allowance)[],
      calls: Parameters<typeof redeem>[1]['steps'][number]['calls'],
    ) => redeem(redeemer, { id, steps: [{ links, calls }] })
    await expect(attempt('t1', [allowance], theft)).rejects.toThrow('ExactCalldataEnforcer:invalid-calldata')
    await expect(attempt('t2', [allowance], [{ to: world.accounts.stranger, value: 1n }])).rejects.toThrow(
      'AllowedTargetsEnforcer',
    )
    await expect(
      attempt('t3', [allowance], [{ to: redeemer.address, value: period.amount + 1n }]),
    ).rejects.toThrow('NativeTokenPeriodTransferEnforcer:transfer-amount-exceeded')
    // Why the calldata is fixed: the period enforcer alone does not stop a token transfer.
    const bare = await signDelegation(account, {
      delegate: redeemer.address,
      authority: rootAuthority,
      caveats: [
        metamaskCaveat(world.framework, metamaskKinds.NativeTokenPeriodTransfer, {
          amount: 1n,
          duration: 86_400n,
          start: period.start,
        }),
      ],
      salt: 9n,
    })
    await attempt('t4', [bare], theft)
    expect(await world.balanceOf(usdc, world.accounts.stranger)).toBe(1n)
    await expect(
      drawGas(redeemer, { id: 'x', allowance: bare, floor: 1n, ceiling: 2n, phase: thriving }),
    ).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  })
})

it('decides by the balance, the cap and the phase', () => {
  const need = { balance: 10n, floor: 20n, ceiling: 100n, periodCap: 60n, drawnInPeriod: 0n, phase: thriving }
  expect(decideGasDraw(need)).toBe(60n)
  expect(decideGasDraw({ ...need, periodCap: 500n })).toBe(90n)
  expect(decideGasDraw({ ...need, balance: 20n })).toBe(0n)
  expect(decideGasDraw({ ...need, ceiling: 5n })).toBe(0n)
  expect(decideGasDraw({ ...need, drawnInPeriod: 59n })).toBe(1n)
  expect(decideGasDraw({ ...need, phase: conservation })).toBe(30n)
  expect(decideGasDraw({ ...need, phase: terminal })).toBe(0n)
})
