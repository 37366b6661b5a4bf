import { isDisabled, swapCalls } from '@bardo/chain'
import type { Hash } from 'viem'
import { parseEther } from 'viem'
import { createLife, type Life } from '../life.ts'
import { dollars, inDollars } from '../money.ts'
import type { Stage } from '../openStage.ts'
import { refuse } from '../refuse.ts'
import type { Story } from '../story.ts'

/** A child that lived. */
export type ReplicantLife = {
  readonly id: Hash
  readonly life: Life
  readonly key: `0x${string}`
  readonly budgetCents: bigint
  readonly spent: bigint
}

const budgetCents = 1_500n
const dailyCosts = { inference: 0n, gas: 5n, compute: 0n, data: 0n }

/** Alpha has a child with a budget of its own, which spends it, wants more, and is ended. */
export async function replicant(stage: Stage, story: Story, parent: Life): Promise<ReplicantLife> {
  const { owner, world, secret, balanceOf, deployment, client } = stage
  const { usdc, weth, swapRouter02: router } = world.addresses
  const { address: account } = owner.account
  story.chapter(
    'A Replicant',
    'Alpha may have children. A child gets a part of Alpha’s own bounds, signed by Alpha’s key: nothing gets wider, so the owner signs nothing.',
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
      secret,
    }),
    what: 'Alpha-1 is born, with $15 to spend in its whole life, two days, and ten calls.',
  }))
  const child = await createLife(stage, id, dailyCosts)
  const { links } = (await child.golem.status()).charter
  const by = await child.hand()

  const before = await balanceOf(usdc, account)
  await story.step('replicant-swap', async () => ({
    ...(await child.act({
      is: 'swap',
      from: 'USDC',
      to: 'WETH',
      cents: 9_999n,
      because: 'as much as it may',
    })),
    what: 'Alpha-1 wants to buy for $100. Its own code cuts that to its budget: $15.',
  }))
  const spent = before - (await balanceOf(usdc, account))
  story.promise(spent === budgetCents * 10_000n, `It spent ${inDollars(spent)}, all that it had.`)
  await refuse(stage, story, {
    name: 'replicant-beyond',
    what: 'A thief with Alpha-1’s key sends a swap of another $5.',
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
      what: 'Alpha ends its child. Alpha-1 leaves the chain’s list of the living, sends its gas home and wipes its key.',
    }
  })
  const leaf = links[0]
  story.promise(await isDisabled({ client, deployment }, leaf), 'Its delegation is disabled for good.')
  return { id, life: child, key: by.address, budgetCents, spent }
}
