import { transferCall } from '@bardo/chain'
import type { Hash } from 'viem'
import { grantRunway, type Runway } from '../grantRunway.ts'
import type { Life } from '../life.ts'
import { lifeLeft } from '../lifeLeft.ts'
import { dollars, inDollars } from '../money.ts'
import type { Stage } from '../openStage.ts'
import type { Story } from '../story.ts'

/** A feeding by the owner. */
export type Feeding = { readonly transaction: Hash; readonly amount: bigint; readonly runway: Runway }

const days = 4

/** The owner adds money and runway. */
export async function feed(stage: Stage, story: Story, life: Life): Promise<Feeding> {
  const { owner, world } = stage
  story.chapter(
    'Feeding',
    'To add money, the owner transfers it into their own smart account. To add runway, the owner’s wallet grants another permission. The limits stay the same: feeding does not open a second budget.',
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
    what: `The wallet grants $2 a day for ${days} more days, not counting today.`,
  }))
  const after = await lifeLeft(life)
  story.promise(
    runway.isAsAsked && after > before,
    `Alpha’s runway went from ${before.toFixed(1)} to ${after.toFixed(1)} days.`,
  )
  return { transaction, amount, runway }
}
