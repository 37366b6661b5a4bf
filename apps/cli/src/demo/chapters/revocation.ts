import { isDisabled, revoke } from '@bardo/chain'
import type { Life } from '../life.ts'
import type { Stage } from '../openStage.ts'
import type { Story } from '../story.ts'

/** The owner revokes: one plain transaction, which needs neither the Golem nor a server. */
export async function revocation(stage: Stage, story: Story, life: Life): Promise<void> {
  const { owner, client, deployment, store } = stage
  story.chapter(
    'Revocation',
    'Alpha gave up its authority itself. The owner does not have to trust that: one plain transaction from the owner’s key revokes the delegation, without the Golem, a server or a bundler.',
  )
  const root = (await life.golem.status()).permission.links.at(-1)
  await story.step('revoke', async () => {
    const revoked = root && (await revoke(owner.ownerSigner, { delegation: root, cause: 'owner' }))
    const what = 'The owner revokes the delegation.'
    return revoked?.type === 'revoked' ? { what, transaction: revoked.landed.hash } : { what }
  })
  const isOff = root !== undefined && (await isDisabled({ client, deployment }, root))
  story.promise(isOff, 'The delegation is disabled on the chain, and no delegate can undo that.')
  const { type } = await store.audit.verify()
  story.promise(
    type === 'intact',
    'The audit log is intact: the hash of each event covers the one before it.',
  )
}
