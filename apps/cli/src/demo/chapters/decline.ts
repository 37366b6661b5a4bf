import { BardoError, phaseNames, phaseNumber } from '@bardo/core'
import { encodeFunctionData, erc20Abi, erc4626Abi } from 'viem'
import type { Life } from '../life.ts'
import { lifeLeft } from '../lifeLeft.ts'
import { dollars } from '../money.ts'
import type { Stage } from '../openStage.ts'
import { refuse } from '../refuse.ts'
import type { Story } from '../story.ts'

/** After so many days the phases have passed by, and the end has not come yet. */
const lastDays = [2, 1, 1] as const

/** Nobody feeds it any more. The phases go by, and with each of them it may do less. */
export async function decline(stage: Stage, story: Story, life: Life): Promise<void> {
  const { world } = stage
  story.chapter(
    'Decline',
    'Nobody feeds Alpha any more. As its days run out it goes from Thriving to Stable, Conservation and Declining, never back, and tells the chain each time. The chain lets it do less and less.',
  )
  for (const [index, days] of lastDays.entries()) {
    await world.warp(days * 86_400)
    const { phase } = await story.step(`decline-${index + 1}`, async () => {
      const tick = await life.golem.tick()
      if (tick.is !== 'ticked')
        throw new BardoError('It died too early.', { code: 'INTERNAL', details: [tick.is] })
      const { phase } = tick.state
      const left = (await lifeLeft(life)).toFixed(1)
      const name = phaseNames[phaseNumber(phase)] ?? phase
      const when = days === 1 ? 'A day later' : `${days} days later`
      return { phase, what: `${when} the runway pays for ${left} days: ${name}.` }
    })
    if (phase === 'conservation') await refuseDeposit(stage, story, life)
  }
  const { phase } = (await life.golem.status()).state
  story.promise(phase === 'declining', 'It is Declining, and nothing but closing is left to it.')
}

/** Out of phase: what was fine in its youth is not any more. */
async function refuseDeposit(stage: Stage, story: Story, life: Life): Promise<void> {
  const { usdc, usdcVault } = stage.world.addresses
  const account = stage.owner.account.address
  const amount = dollars(20)
  const { links } = (await life.golem.status()).charter
  await refuse(stage, story, {
    name: 'late-deposit',
    what: 'Somebody with the key sends a deposit of $20 into the vault.',
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
