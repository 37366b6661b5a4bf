import { swapCalls } from '@bardo/chain'
import type { Life } from '../life.ts'
import { dollars } from '../money.ts'
import type { Stage } from '../openStage.ts'
import { refuse } from '../refuse.ts'
import type { Story } from '../story.ts'

/** Somebody copies the key, and asks none of our code for permission. */
export async function thief(stage: Stage, story: Story, life: Life): Promise<void> {
  const { owner, world } = stage
  const { usdc: from, weth: to, swapRouter02: router } = world.addresses
  const { address: account } = owner.account
  const swap = { router, from, to, minimumOut: 1n, fee: 500 }
  const { links } = (await life.golem.status()).charter
  const by = await life.hand()
  story.chapter(
    'The thief',
    'Suppose somebody steals the key, the process and the server. They send what they like, without any check of ours: these are real transactions, mined and paid for. What is left is what the owner signed.',
  )
  await refuse(stage, story, {
    name: 'over-limit',
    what: 'A swap of $250. The day’s limit is $300, and not that much of it is left.',
    by,
    links,
    calls: swapCalls({ ...swap, account, amountIn: dollars(250) }),
    expected: { caveat: 'Cage', error: 'SpendLimitExceeded' },
  })
  await refuse(stage, story, {
    name: 'stranger',
    what: 'A swap of $10 of the owner’s money whose WETH goes to the thief.',
    by,
    links,
    calls: swapCalls({ ...swap, account: world.accounts.stranger, amountIn: dollars(10) }),
    expected: { caveat: 'Cage', error: 'RecipientNotAccount' },
  })
}
