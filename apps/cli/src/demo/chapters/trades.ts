import { erc20Abi } from 'viem'
import type { Life } from '../life.ts'
import { dollars, inDollars } from '../money.ts'
import type { Stage } from '../openStage.ts'
import type { Story } from '../story.ts'

/** Two swaps and a deposit, each a heartbeat of the Golem. */
export async function trades(stage: Stage, story: Story, life: Life): Promise<void> {
  const { owner, world, balanceOf, client } = stage
  const { usdc, weth, usdcVault, swapRouter02 } = world.addresses
  const { address } = owner.account
  story.chapter(
    'A working life',
    'Alpha’s heart beats: it looks at the chain, decides, checks itself against what was signed, and sends. The money goes from the owner’s account into the owner’s account; the key touches none of it.',
  )
  const opening = await balanceOf(usdc, address)
  const buy = { is: 'swap', from: 'USDC', to: 'WETH', cents: 5_000n, because: 'the first of two' } as const
  await story.step('swap-1', async () => ({
    ...(await life.act(buy)),
    what: 'Day 1: $50 of USDC become WETH on Uniswap.',
  }))
  await world.warp(86_400)
  await story.step('swap-2', async () => ({
    ...(await life.act({ ...buy, because: 'the second' })),
    what: 'Day 2: another $50.',
  }))
  await story.step('deposit', async () => ({
    ...(await life.act({ is: 'deposit', asset: 'USDC', cents: 10_000n, because: 'it works there' })),
    what: '$100 go into the vault, in the owner’s name.',
  }))

  const spent = opening - (await balanceOf(usdc, address))
  story.promise(spent === dollars(200), `${inDollars(spent)} were spent, and no cent more.`)
  const worth = ((await balanceOf(weth, address)) * (await world.price('WETH/USDC'))) / 10n ** 18n
  story.promise(worth >= dollars(99), `The WETH is the owner’s, and worth ${inDollars(worth)}.`)
  story.promise((await balanceOf(usdcVault, address)) > 0n, 'The vault’s shares are the owner’s.')
  const allowance = await client.readContract({
    address: usdc,
    abi: erc20Abi,
    functionName: 'allowance',
    args: [address, swapRouter02],
  })
  story.promise(allowance === 0n, 'No approval is left standing.')
}
