import { transferCall } from '@bardo/chain'
import type { Hash } from 'viem'
import { grantRunway, type Runway } from '../grantRunway.ts'
import type { Life } from '../life.ts'
import { lifeLeft } from '../lifeLeft.ts'
import { dollars, inDollars } from '../money.ts'
import type { Stage } from '../openStage.ts'
import type { Story } from '../story.ts'

/** What the owner gave. */
export type Feeding = { readonly transaction: Hash; readonly amount: bigint; readonly runway: Runway }

const days = 4

/** The owner adds money to work with and days to live. */
export async function feed(stage: Stage, story: Story, life: Life): Promise<Feeding> {
  const { owner, world } = stage
  story.chapter(
    'Feeding',
    'Money to work with is a transfer into the owner’s own account. Days to live are another grant of the wallet’s. The bounds stay what they were: feeding opens no second budget.',
  )
  const before = await lifeLeft(life)
  const amount = dollars(500)
  const account = owner.account.address
  const { transaction } = await story.step('feed', async () => {
    const call = transferCall({ token: world.addresses.usdc, amount, account })
    const { hash } = await owner.submitter.submit({ id: 'feed', ...call })
    return { what: `The owner adds ${inDollars(amount)}.`, transaction: hash }
  })
  const { address } = await life.hand()
  const runway = await story.step('feed-runway', async () => ({
    ...(await grantRunway(stage, life.id, address, days)),
    what: `And $2 a day for ${days} more days, the one that has begun not counted.`,
  }))
  const after = await lifeLeft(life)
  story.promise(
    runway.isAsAsked && after > before,
    `Alpha had ${before.toFixed(1)} days to live, and has ${after.toFixed(1)}.`,
  )
  return { transaction, amount, runway }
}
