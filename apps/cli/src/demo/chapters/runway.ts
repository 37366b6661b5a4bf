import { redeem, transferCall } from '@bardo/chain'
import { dailyCents, grantRunway, type Runway } from '../grantRunway.ts'
import type { Life } from '../life.ts'
import { inDollars } from '../money.ts'
import type { Stage } from '../openStage.ts'
import { refuse } from '../refuse.ts'
import type { Story } from '../story.ts'

const days = 6

/** The owner grants a runway, and the Golem pays its first day from it. */
export async function runway(stage: Stage, story: Story, life: Life): Promise<Runway> {
  const { world, balanceOf } = stage
  const { usdc } = world.addresses
  const { operator, stranger } = world.accounts
  story.chapter(
    'The runway',
    'Alpha costs $2 a day to run: a model and a machine. The owner’s wallet grants that with ERC-7715, from the owner’s own account, payable only to the operator. A Golem without runway shuts down.',
  )
  const hand = await life.hand()
  const granted = await story.step('runway', async () => ({
    ...(await grantRunway(stage, life.id, hand.address, days)),
    what: `The wallet grants $2 a day for ${days} days.`,
  }))
  story.promise(granted.isAsAsked, 'The signed bytes are exactly what was requested.')

  const { links } = granted
  const amount = dailyCents * 10_000n
  await refuse(stage, story, {
    name: 'runway-theft',
    what: 'A thief with a copy of the key tries to pay the first $2 to themselves.',
    by: hand,
    links,
    calls: [transferCall({ token: usdc, amount, account: stranger })],
    expected: { caveat: 'AllowedCalldata', error: 'AllowedCalldataEnforcer:invalid-calldata' },
  })

  const before = await balanceOf(usdc, operator)
  await story.step('draw', async () => {
    const calls = [transferCall({ token: usdc, amount, account: operator })]
    const { hash } = await redeem(hand, { id: 'draw', steps: [{ links, calls }] })
    return {
      what: `Alpha draws ${inDollars(amount)} and pays the operator for its first day.`,
      transaction: hash,
    }
  })
  story.promise(
    (await balanceOf(usdc, operator)) - before === amount,
    'The operator received exactly that amount.',
  )
  return granted
}
