import { encodeFunctionData, erc20Abi, parseAbi, parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { redeem } from '../redemption/redeem.ts'
import { openRedemptionWorld, type RedemptionWorld } from '../testing/redemptionWorld.ts'
import { permit2Address, universalSwapCalls } from './universalSwapCalls.ts'

const hundred = parseUnits('100', 6)
const permit2Abi = parseAbi([
  'function approve(address token, address spender, uint160 amount, uint48 expiration)',
  'function allowance(address owner, address token, address spender) view returns (uint160 amount, uint48 expiration, uint48 nonce)',
])

describe('a swap through Permit2 and UniversalRouter', () => {
  let world: RedemptionWorld
  beforeAll(async () => {
    world = await openRedemptionWorld()
  })
  afterAll(() => world?.stop())

  async function open() {
    const { owner, account } = await world.hybridOwner()
    const redeemer = world.directRedeemer(await world.sessionKey())
    const golem = await world.registerGolem(owner.address)
    const root = await world.signRoot(account, redeemer.address, [
      await world.cageCaveat(account.address, golem),
    ])
    const { usdc, weth, universalRouter } = world.addresses
    const calls = universalSwapCalls({
      router: universalRouter,
      account: account.address,
      tokens: [usdc, weth],
      fees: [500],
      amountIn: hundred,
      amountOutMinimum: 1n,
      deadline: 2n ** 40n,
    })
    return { account, redeemer, root, calls }
  }

  it('passes the Cage and leaves no approval behind', async () => {
    const { account, redeemer, root, calls } = await open()
    const { usdc, weth, universalRouter } = world.addresses
    const landed = await redeem(redeemer, { id: 'ur', steps: [{ links: [root], calls }] })
    expect(await world.balanceOf(weth, account.address)).toBeGreaterThan(0n)
    expect(await world.gasOf(landed.hash)).toBeLessThan(400_000n)
    const toPermit2 = await world.client.readContract({
      address: usdc,
      abi: erc20Abi,
      functionName: 'allowance',
      args: [account.address, permit2Address],
    })
    const [toRouter] = await world.client.readContract({
      address: permit2Address,
      abi: permit2Abi,
      functionName: 'allowance',
      args: [account.address, usdc, universalRouter],
    })
    expect([toPermit2, toRouter]).toEqual([0n, 0n])
  })

  it('is refused if either approval exceeds the amount of the swap', async () => {
    const { redeemer, root, calls } = await open()
    const { usdc, universalRouter } = world.addresses
    const [approve, permit, swap] = calls
    if (!approve || !permit || !swap) throw new Error('three calls')
    const more = hundred + 1n
    const generous = {
      ...approve,
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [permit2Address, more] }),
    }
    const lasting = {
      ...permit,
      data: encodeFunctionData({
        abi: permit2Abi,
        functionName: 'approve',
        args: [usdc, universalRouter, more, 2 ** 40],
      }),
    }
    const attempt = (id: string, batch: typeof calls) =>
      redeem(redeemer, { id, steps: [{ links: [root], calls: batch }] })
    await expect(attempt('a', [generous, permit, swap])).rejects.toThrow('ApprovalLeft')
    await expect(attempt('b', [approve, lasting, swap])).rejects.toThrow('ApprovalLeft')
    // An approval alone, for later use.
    await expect(attempt('c', [permit])).rejects.toThrow('ApprovalLeft')
  })

  it('refuses an incomplete path', () => {
    const swap = { router: permit2Address, account: permit2Address, amountIn: 1n, amountOutMinimum: 1n }
    expect(() => universalSwapCalls({ ...swap, tokens: [permit2Address], fees: [], deadline: 0n })).toThrow(
      'between every two tokens',
    )
  })
})
