import { swapCalls } from '@bardo/chain'
import type { Life } from '../life.ts'
import { dollars } from '../money.ts'
import type { Stage } from '../openStage.ts'
import { refuse } from '../refuse.ts'
import type { Story } from '../story.ts'

/** A thief uses a copied key and bypasses all of Bardo's checks. */
export async function thief(stage: Stage, story: Story, life: Life): Promise<void> {
  const { owner, world } = stage
  const { usdc: from, weth: to, swapRouter02: router } = world.addresses
  const { address: account } = owner.account
  const swap = { router, from, to, minimumOut: 1n, fee: 500 }
  const { links } = (await life.golem.status()).permission
  const by = await life.hand()
  story.chapter(
    'The thief',
    'Suppose a thief has the key, the process and the server. They can send anything, without any of Bardo’s own checks. These are real transactions, mined and paid for. Only the limits that the owner signed are left.',
  )
  await refuse(stage, story, {
    name: 'over-limit',
    what: 'A swap of $250. The daily limit is $300, and less than $250 of it is left.',
    by,
    links,
    calls: swapCalls({ ...swap, account, amountIn: dollars(250) }),
    expected: { caveat: 'Cage', error: 'SpendLimitExceeded' },
  })
  await refuse(stage, story, {
    name: 'stranger',
    what: 'A swap of $10 that sends the WETH to the thief.',
    by,
    links,
    calls: swapCalls({ ...swap, account: world.accounts.stranger, amountIn: dollars(10) }),
    expected: { caveat: 'Cage', error: 'RecipientNotAccount' },
  })
}
