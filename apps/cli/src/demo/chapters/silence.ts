import { swapCalls } from '@bardo/chain'
import type { Life } from '../life.ts'
import { dollars } from '../money.ts'
import type { Stage } from '../openStage.ts'
import { refuse } from '../refuse.ts'
import type { Story } from '../story.ts'

/** Two grace periods and one hour. */
const silentSeconds = 13 * 3_600

/** The Golem sends no heartbeat for a while, and the chain applies stricter phases. */
export async function silence(stage: Stage, story: Story, life: Life): Promise<void> {
  const { owner, world } = stage
  const { usdc: from, weth: to, swapRouter02: router } = world.addresses
  const { address: account } = owner.account
  story.chapter(
    'The dead-man’s switch',
    'Alpha publishes a heartbeat on the chain. If its machine fails, the heartbeat stops, and after every six hours of silence the next stricter phase applies: after twelve hours Alpha may close positions but not open any. This protects against a lost Golem, not against a thief: a thief with the key can publish a heartbeat.',
  )
  await world.warp(silentSeconds)
  const { links } = (await life.golem.status()).permission
  await refuse(stage, story, {
    name: 'silent-swap',
    what: 'After 13 hours of silence, a swap of $10 that was allowed before.',
    by: await life.hand(),
    links,
    calls: swapCalls({ router, account, from, to, amountIn: dollars(10), minimumOut: 1n, fee: 500 }),
    expected: { caveat: 'Cage', error: 'ClassNotAllowedInPhase' },
  })
  const { transaction } = await story.step('awake', async () => ({
    ...(await life.act({ type: 'swap', from: 'USDC', to: 'WETH', cents: 1_000n, because: 'it is back' })),
    what: 'The machine is back. Alpha publishes its heartbeat, and the same swap passes.',
  }))
  story.promise(transaction !== undefined, 'Silence does not remove authority permanently.')
}
