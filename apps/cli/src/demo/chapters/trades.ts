import { erc20Abi } from 'viem'
import type { Life } from '../life.ts'
import { dollars, inDollars } from '../money.ts'
import type { Stage } from '../openStage.ts'
import type { Story } from '../story.ts'

/** Two swaps and a deposit, one per tick. */
export async function trades(stage: Stage, story: Story, life: Life): Promise<void> {
  const { owner, world, balanceOf, client } = stage
  const { usdc, weth, usdcVault, swapRouter02 } = world.addresses
  const { address } = owner.account
  story.chapter(
    'Trading',
    'In each tick, Alpha reads the chain, decides, checks the action against what was signed, and sends it. Money moves from the owner’s account back into the owner’s account. The session key never holds any of it.',
  )
  const opening = await balanceOf(usdc, address)
  const buy = { type: 'swap', from: 'USDC', to: 'WETH', cents: 5_000n, because: 'the first of two' } as const
  await story.step('swap-1', async () => ({
    ...(await life.act(buy)),
    what: 'Day 1: Alpha swaps $50 of USDC for WETH on Uniswap.',
  }))
  await world.warp(86_400)
  await story.step('swap-2', async () => ({
    ...(await life.act({ ...buy, because: 'the second' })),
    what: 'Day 2: Alpha swaps another $50.',
  }))
  await story.step('deposit', async () => ({
    ...(await life.act({ type: 'deposit', asset: 'USDC', cents: 10_000n, because: 'it works there' })),
    what: 'Alpha deposits $100 into the vault, in the owner’s name.',
  }))

  const spent = opening - (await balanceOf(usdc, address))
  story.promise(spent === dollars(200), `Alpha spent exactly ${inDollars(spent)}.`)
  const worth = ((await balanceOf(weth, address)) * (await world.price('WETH/USDC'))) / 10n ** 18n
  story.promise(worth >= dollars(99), `The owner’s account holds the WETH, worth ${inDollars(worth)}.`)
  story.promise((await balanceOf(usdcVault, address)) > 0n, 'The owner’s account holds the vault shares.')
  const allowance = await client.readContract({
    address: usdc,
    abi: erc20Abi,
    functionName: 'allowance',
    args: [address, swapRouter02],
  })
  story.promise(allowance === 0n, 'No token approval is left.')
}
