import { swapCalls } from '@bardo/chain'
import type { Life } from '../life.ts'
import { dollars } from '../money.ts'
import type { Stage } from '../openStage.ts'
import { refuse } from '../refuse.ts'
import type { Story } from '../story.ts'

/** Two periods of grace, and an hour. */
const silentSeconds = 13 * 3_600

/** Nobody hears of the Golem for a while, and the chain narrows what it may do by itself. */
export async function silence(stage: Stage, story: Story, life: Life): Promise<void> {
  const { owner, world } = stage
  const { usdc: from, weth: to, swapRouter02: router } = world.addresses
  const { address: account } = owner.account
  story.chapter(
    'The dead-man’s switch',
    'Alpha tells the chain that it is well. When its machine dies nobody does, and each six hours of silence narrow it by a phase: after two of them it may close what it opened, and open nothing. It guards against a lost Golem; a thief who has the key can speak for it.',
  )
  await world.warp(silentSeconds)
  const { links } = (await life.golem.status()).charter
  await refuse(stage, story, {
    name: 'silent-swap',
    what: '13 hours of silence. Then a swap of $10, which would have been fine before.',
    by: await life.hand(),
    links,
    calls: swapCalls({ router, account, from, to, amountIn: dollars(10), minimumOut: 1n, fee: 500 }),
    expected: { caveat: 'Cage', error: 'ClassNotAllowedInPhase' },
  })
  const { transaction } = await story.step('awake', async () => ({
    ...(await life.act({ is: 'swap', from: 'USDC', to: 'WETH', cents: 1_000n, because: 'it is back' })),
    what: 'The machine is back. Alpha says that it is well, and the same swap passes.',
  }))
  story.promise(transaction !== undefined, 'Silence takes nothing for good.')
}
