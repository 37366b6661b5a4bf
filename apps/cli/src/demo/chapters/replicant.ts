import { isDisabled, swapCalls } from '@bardo/chain'
import type { Hash } from 'viem'
import { parseEther } from 'viem'
import { createLife, type Life } from '../life.ts'
import { dollars, inDollars } from '../money.ts'
import type { Stage } from '../openStage.ts'
import { refuse } from '../refuse.ts'
import type { Story } from '../story.ts'

/** A child Golem of the demo. */
export type ReplicantLife = {
  readonly id: Hash
  readonly life: Life
  readonly key: `0x${string}`
  readonly budgetCents: bigint
  readonly spent: bigint
}

const budgetCents = 1_500n
const dayPrices = { compute: 5n, data: 0n }

/** Alpha creates a child with its own budget. The child spends it, tries to spend more, and is ended. */
export async function replicant(stage: Stage, story: Story, parent: Life): Promise<ReplicantLife> {
  const { owner, world, balanceOf, deployment, client } = stage
  const { usdc, weth, swapRouter02: router } = world.addresses
  const { address: account } = owner.account
  story.chapter(
    'A Replicant',
    'Alpha may create children. A child gets a part of Alpha’s own limits, signed by Alpha’s key. No limit gets wider, so the owner does not need to sign.',
  )
  const { id } = await story.step('replicate', async () => ({
    id: await parent.golem.replicate({
      name: 'Alpha-1',
      dailyCents: 2_000n,
      budgetCents,
      runwayCents: 50n,
      lifespanSeconds: 2 * 86_400,
      calls: 10,
      gas: parseEther('0.005'),
    }),
    what: 'Alpha-1 is alive. It may spend $15 in total, for two days, in at most ten calls.',
  }))
  const child = await createLife(stage, id, dayPrices)
  const { links } = (await child.golem.status()).permission
  const by = await child.hand()

  const before = await balanceOf(usdc, account)
  await story.step('replicant-swap', async () => ({
    ...(await child.act({
      type: 'swap',
      from: 'USDC',
      to: 'WETH',
      cents: 9_999n,
      because: 'as much as it may',
    })),
    what: 'Alpha-1 plans to buy WETH for $100. Its own checks reduce that to its budget: $15.',
  }))
  const spent = before - (await balanceOf(usdc, account))
  story.promise(spent === budgetCents * 10_000n, `It spent ${inDollars(spent)}, its whole budget.`)
  await refuse(stage, story, {
    name: 'replicant-beyond',
    what: 'A thief with Alpha-1’s key tries to swap another $5.',
    by,
    links,
    calls: swapCalls({
      router,
      account,
      from: usdc,
      to: weth,
      amountIn: dollars(5),
      minimumOut: 1n,
      fee: 500,
    }),
    expected: { caveat: 'ReplicantBudget', error: 'AllowanceExceeded' },
  })

  await story.step('replicant-end', async () => {
    await parent.golem.endReplicant(id)
    await child.golem.tick()
    return {
      what: 'Alpha ends its child. Alpha-1 removes itself from the on-chain registry, returns its gas and wipes its key.',
    }
  })
  const leaf = links[0]
  story.promise(await isDisabled({ client, deployment }, leaf), 'Its delegation is disabled permanently.')
  return { id, life: child, key: by.address, budgetCents, spent }
}
