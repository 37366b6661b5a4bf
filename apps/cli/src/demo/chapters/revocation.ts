import { isDisabled, revoke } from '@bardo/chain'
import type { Life } from '../life.ts'
import type { Stage } from '../openStage.ts'
import type { Story } from '../story.ts'

/** The owner's last word: one plain transaction, which needs neither Golem nor server. */
export async function revocation(stage: Stage, story: Story, life: Life): Promise<void> {
  const { owner, client, deployment, store } = stage
  story.chapter(
    'The owner’s last word',
    'Alpha gave up its authority by itself. The owner need not take its word for it: one plain transaction of the owner’s key ends the grant, with no Golem, no server and no bundler.',
  )
  const root = (await life.golem.status()).charter.links.at(-1)
  await story.step('revoke', async () => {
    const revoked = root && (await revoke(owner.desk, { delegation: root, cause: 'owner' }))
    const what = 'The owner revokes the grant.'
    return revoked?.is === 'revoked' ? { what, transaction: revoked.landed.hash } : { what }
  })
  const isOff = root !== undefined && (await isDisabled({ client, deployment }, root))
  story.promise(isOff, 'The chain says that it is disabled; nothing delegated can undo that.')
  const { is } = await store.audit.verify()
  story.promise(
    is === 'intact',
    'The record of all that happened is intact, each event hashed onto the last.',
  )
}
