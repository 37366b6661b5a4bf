import { redeem, transferCall } from '@bardo/chain'
import { dailyCents, grantRunway, type Runway } from '../grantRunway.ts'
import type { Life } from '../life.ts'
import { inDollars } from '../money.ts'
import type { Stage } from '../openStage.ts'
import { refuse } from '../refuse.ts'
import type { Story } from '../story.ts'

const days = 6

/** The owner grants what the Golem lives on, and the Golem pays its first day with it. */
export async function runway(stage: Stage, story: Story, life: Life): Promise<Runway> {
  const { world, balanceOf } = stage
  const { usdc } = world.addresses
  const { operator, stranger } = world.accounts
  story.chapter(
    'The runway',
    'A life costs $2 a day here: a model, a machine. The owner’s wallet grants that by ERC-7715, from the owner’s own account, to be paid to the operator and to nobody else. A Golem that runs out of it dies.',
  )
  const hand = await life.hand()
  const granted = await story.step('runway', async () => ({
    ...(await grantRunway(stage, life.id, hand.address, days)),
    what: `The wallet grants $2 a day for ${days} days.`,
  }))
  story.promise(granted.isAsAsked, 'What was signed is what was asked for, byte by byte.')

  const { links } = granted
  const amount = dailyCents * 10_000n
  await refuse(stage, story, {
    name: 'runway-theft',
    what: 'Somebody with a copy of the key wants the first $2 for themselves.',
    by: hand,
    links,
    calls: [transferCall({ token: usdc, amount, account: stranger })],
    expected: { caveat: 'AllowedCalldata', error: 'AllowedCalldataEnforcer:invalid-calldata' },
  })

  const before = await balanceOf(usdc, operator)
  await story.step('draw', async () => {
    const calls = [transferCall({ token: usdc, amount, account: operator })]
    const { hash } = await redeem(hand, { id: 'draw', steps: [{ links, calls }] })
    return { what: `Alpha draws ${inDollars(amount)} and pays for its first day.`, transaction: hash }
  })
  story.promise((await balanceOf(usdc, operator)) - before === amount, 'The operator got it, to the cent.')
  return granted
}
