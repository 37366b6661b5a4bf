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

/** A key rotation. */
export type Rotated = { readonly oldKey: Address; readonly newKey: Address; readonly reason: RotationReason }

const reason = 'suspected'
/** The runway for the new key, in days. */
const days = 6

/** The key may be stolen: its delegation is revoked, and the owner signs the same limits for a new key. */
export async function rotation(
  stage: Stage,
  story: Story,
  life: Life,
  runways: readonly Runway[],
): Promise<Rotated> {
  const { owner, store, world, client, deployment } = stage
  const { usdc: from, weth: to, swapRouter02: router } = world.addresses
  story.chapter(
    'Key rotation',
    'The key may have been copied. Alpha stops using it and asks its owner. The owner revokes the old delegation first, then signs the same limits for a new key. Today’s spending still counts: there is no second budget.',
  )
  const thief = await life.hand()
  const { links } = (await life.golem.status()).permission
  const [root] = links
  await story.step('suspect', async () => {
    await life.golem.rotate(reason)
    return { what: 'Alpha creates a new key, switches to observe-only mode, and files one request.' }
  })
  const [request] = await store.ownerRequests.pending(life.id)
  if (!request) throw new BardoError('No request was filed.', { code: 'INTERNAL' })
  const newKey = readGrantRequest(request).root.delegate

  await story.step('regrant', async () => {
    for (const runway of runways) await endRunway(stage, runway)
    await grantAsOwner(owner.ownerSigner, store, request, (key, id) =>
      owner.submitter.submit({ id, to: key, value: drip }),
    )
    await grantRunway(stage, life.id, newKey, days)
    return { what: 'The owner revokes the old delegation and the old runways, and signs for the new key.' }
  })
  await refuse(stage, story, {
    name: 'old-key',
    what: 'A thief with the old key tries to swap $10.',
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
      type: 'swap',
      from: 'USDC',
      to: 'WETH',
      cents: 1_000n,
      because: 'to see that it works',
    })),
    what: 'Alpha continues with the new key and buys WETH for $10. The old key’s remaining gas moves to the new one, and the old key is wiped.',
  }))
  const { address } = await life.hand()
  story.promise(
    address === newKey && (await isDisabled({ client, deployment }, root)),
    'Only the new key is valid, with one delegation.',
  )
  return { oldKey: thief.address, newKey, reason }
}
