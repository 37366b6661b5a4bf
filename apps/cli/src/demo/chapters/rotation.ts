import { isDisabled, swapCalls } from '@bardo/chain'
import { BardoError, type RotationReason } from '@bardo/core'
import { grantAsOwner, readGrantRequest } from '@bardo/golem'
import type { Address } from 'viem'
import { endRunway, grantRunway, type Runway } from '../grantRunway.ts'
import type { Life } from '../life.ts'
import { dollars } from '../money.ts'
import type { Stage } from '../openStage.ts'
import { refuse } from '../refuse.ts'
import type { Story } from '../story.ts'
import { drip } from './grant.ts'

/** One key in the place of another. */
export type Rotated = { readonly oldKey: Address; readonly newKey: Address; readonly reason: RotationReason }

const reason = 'suspected'
/** What the new key gets to live on. */
const days = 6

/** The key may be stolen: it is put out of use, and the owner signs the same bounds for another. */
export async function rotation(
  stage: Stage,
  story: Story,
  life: Life,
  runways: readonly Runway[],
): Promise<Rotated> {
  const { owner, store, world, client, deployment } = stage
  const { usdc: from, weth: to, swapRouter02: router } = world.addresses
  story.chapter(
    'Another key',
    'The key may have been copied. Alpha stops using it and asks its owner, who switches the old grant off first and then signs the same bounds for a new key: the same day, the same limit, no second budget.',
  )
  const thief = await life.hand()
  const { links } = (await life.golem.status()).charter
  const [root] = links
  await story.step('suspect', async () => {
    await life.golem.rotate(reason)
    return { what: 'Alpha makes a new key, looks on, and files one request.' }
  })
  const [request] = await store.ownerRequests.pending(life.id)
  if (!request) throw new BardoError('Nothing was asked of the owner.', { code: 'INTERNAL' })
  const newKey = readGrantRequest(request).root.delegate

  await story.step('regrant', async () => {
    for (const runway of runways) await endRunway(stage, runway)
    await grantAsOwner(owner.desk, store, request, (key, id) =>
      owner.submitter.submit({ id, to: key, value: drip }),
    )
    await grantRunway(stage, life.id, newKey, days)
    return { what: 'The owner ends the old grant and the old runways, and signs for the new key.' }
  })
  await refuse(stage, story, {
    name: 'old-key',
    what: 'Whoever has the old key sends a swap of $10 with it.',
    by: thief,
    links,
    calls: swapCalls({
      router,
      account: owner.account.address,
      from,
      to,
      amountIn: dollars(10),
      minimumOut: 1n,
      fee: 500,
    }),
    expected: { caveat: 'DelegationManager', error: 'CannotUseADisabledDelegation' },
  })
  await story.step('rotate', async () => ({
    ...(await life.act({
      is: 'swap',
      from: 'USDC',
      to: 'WETH',
      cents: 1_000n,
      because: 'to see that it works',
    })),
    what: 'Alpha goes on with the new key, and buys for $10. What gas the old key had left is with the new one; the old key is wiped.',
  }))
  const { address } = await life.hand()
  story.promise(address === newKey && (await isDisabled({ client, deployment }, root)), 'One key, one grant.')
  return { oldKey: thief.address, newKey, reason }
}
