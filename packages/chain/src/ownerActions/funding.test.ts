import { encodeFunctionData, erc20Abi, parseEther, parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRedemptionWorld, type RedemptionWorld } from '../testing/redemptionWorld.ts'
import { permit2Address } from '../uniswap/universalSwapCalls.ts'
import { permit2Call, permit2TypedData, permitCalls, permitTypedData, transferCall } from './funding.ts'

const hundred = parseUnits('100', 6)
const usdcDomain = { name: 'USD Coin', version: '2' }

describe('an account is funded', () => {
  let world: RedemptionWorld
  beforeAll(async () => {
    world = await openRedemptionWorld()
  })
  afterAll(() => world?.stop())

  /** An owner with 100 USDC on their key, and an empty account that can pay for operations. */
  async function open() {
    const { owner, account } = await world.hybridOwner({ USDC: 0n })
    await world.fund(owner.address, { USDC: hundred })
    await world.fund(account.address, { ETH: parseEther('1') })
    const { timestamp } = await world.client.getBlock()
    const funding = {
      chainId: world.chainId,
      token: world.addresses.usdc,
      amount: hundred,
      from: owner.address,
      account: account.address,
      nonce: 0n,
      deadline: timestamp + 600n,
    }
    return { owner, account, funding, submitter: world.operationRedeemer(account).submitter }
  }
  const funded = (address: `0x${string}`) => world.balanceOf(world.addresses.usdc, address)
  const allowance = (from: `0x${string}`, spender: `0x${string}`) =>
    world.client.readContract({
      address: world.addresses.usdc,
      abi: erc20Abi,
      functionName: 'allowance',
      args: [from, spender],
    })

  it('by a transfer', async () => {
    const { owner, account, funding } = await open()
    await world.submitterOf(owner).submit({ id: 'transfer', ...transferCall(funding) })
    expect(await funded(account.address)).toBe(hundred)
  })

  it('by an EIP-2612 permit that leaves no allowance', async () => {
    const { owner, account, funding, submitter } = await open()
    const signature = await owner.signTypedData(permitTypedData(funding, usdcDomain))
    const [permit, pull] = permitCalls(funding, signature)
    await submitter.submit({ id: 'permit', ...permit })
    await submitter.submit({ id: 'pull', ...pull })
    expect(await funded(account.address)).toBe(hundred)
    expect(await allowance(owner.address, account.address)).toBe(0n)
  })

  it('by a Permit2 signature that no one else can use', async () => {
    const { owner, account, funding, submitter } = await open()
    const args = [permit2Address, hundred] as const
    const approve = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args })
    await world
      .submitterOf(owner)
      .submit({ id: `approve-${owner.address}`, to: funding.token, data: approve })
    const signature = await owner.signTypedData(permit2TypedData(funding))
    const thief = await world.fundedOwner()
    for (const stolen of [
      permit2Call(funding, signature),
      permit2Call({ ...funding, account: thief.address }, signature),
    ])
      await expect(
        world.submitterOf(thief).submit({ id: `thief-${stolen.data?.length}-${stolen.data}`, ...stolen }),
      ).rejects.toMatchObject({ code: 'TRANSACTION_REVERTED', outcome: 'not-sent' })
    await submitter.submit({ id: 'permit2', ...permit2Call(funding, signature) })
    expect(await funded(account.address)).toBe(hundred)
    expect(await allowance(owner.address, permit2Address)).toBe(0n)
    await expect(
      submitter.submit({ id: 'permit2-again', ...permit2Call(funding, signature) }),
    ).rejects.toMatchObject({ code: 'TRANSACTION_REVERTED' })
  })
})
