import { BardoError, phaseNames, phaseNumber } from '@bardo/core'
import { encodeFunctionData, erc20Abi, erc4626Abi } from 'viem'
import type { Life } from '../life.ts'
import { lifeLeft } from '../lifeLeft.ts'
import { dollars, inDollars } from '../money.ts'
import type { Stage } from '../openStage.ts'
import { refuse } from '../refuse.ts'
import type { Story } from '../story.ts'

/** The days between ticks: long enough to pass through the phases, too short to die. */
const lastDays = [2, 1, 1] as const

/** The owner stops feeding Alpha. The phases change, and each allows less. */
export async function decline(stage: Stage, story: Story, life: Life): Promise<void> {
  const { world, balanceOf, owner } = stage
  const { usdc, usdcVault } = world.addresses
  const { address } = owner.account
  const before = await balanceOf(usdc, address)
  story.chapter(
    'Decline',
    'The owner stops feeding Alpha. As its runway shrinks, it moves from Thriving to Stable, Conservation and Declining, never back, and publishes each phase on the chain. In each phase the chain allows less. From Conservation on, Alpha closes its positions by itself.',
  )
  for (const [index, days] of lastDays.entries()) {
    await world.warp(days * 86_400)
    const { phase } = await story.step(`decline-${index + 1}`, async () => {
      const tick = await life.golem.tick()
      if (tick.type !== 'ticked')
        throw new BardoError('The Golem shut down too early.', { code: 'INTERNAL', details: [tick.type] })
      const { phase } = tick.state
      const left = (await lifeLeft(life)).toFixed(1)
      const name = phaseNames[phaseNumber(phase)] ?? phase
      const when = days === 1 ? 'A day later' : `${days} days later`
      return { phase, what: `${when}, the runway pays for ${left} more days: ${name}.` }
    })
    if (phase === 'conservation') await refuseDeposit(stage, story, life)
  }
  const { phase } = (await life.golem.status()).state
  story.promise(phase === 'declining', 'Alpha is Declining: it may only close positions.')
  const back = (await balanceOf(usdc, address)) - before
  story.promise(
    (await balanceOf(usdcVault, address)) === 0n && back > 0n,
    `It has closed its position: ${inDollars(back)} returned from the vault, and no share is left.`,
  )
}

/** A deposit that was allowed in an earlier phase is refused now. */
async function refuseDeposit(stage: Stage, story: Story, life: Life): Promise<void> {
  const { usdc, usdcVault } = stage.world.addresses
  const account = stage.owner.account.address
  const amount = dollars(20)
  const { links } = (await life.golem.status()).permission
  await refuse(stage, story, {
    name: 'late-deposit',
    what: 'A thief with the key tries to deposit $20 into the vault.',
    by: await life.hand(),
    links,
    calls: [
      {
        to: usdc,
        data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [usdcVault, amount] }),
      },
      {
        to: usdcVault,
        data: encodeFunctionData({ abi: erc4626Abi, functionName: 'deposit', args: [amount, account] }),
      },
    ],
    expected: { caveat: 'Cage', error: 'ClassNotAllowedInPhase' },
  })
}
