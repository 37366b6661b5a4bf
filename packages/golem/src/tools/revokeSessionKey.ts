import { BardoError, hashDelegation } from '@bardo/core'
import type { SessionKeyRecord } from '@bardo/store'
import { isAddressEqual } from 'viem'
import { z } from 'zod'
import { answerUnattended } from '../owner/answerUnattended.ts'
import { areDisabled } from '../owner/areDisabled.ts'
import { knownGrants } from '../owner/knownGrants.ts'
import { tell } from '../runtime/summoning.ts'
import { golemField, idempotencyField, labelField } from './fields.ts'
import { stages } from './stage.ts'
import { defineTool } from './toolDefinition.ts'

/** Wipes session keys here, and asks the owner to end what was granted to them. */
export const revokeSessionKey = defineTool({
  name: 'wallet_revoke_session_key',
  title: 'Revoke session keys',
  description:
    'Wipes session keys from this machine’s store, all of them unless some are named, so that Bardo never signs with them again; gas that a key holds stays at its address. A copy that somebody stole is stopped by the owner alone: a request is filed to disable what was granted to the key on the chain. A Golem that lost its key looks on, and its next tick asks the owner for a grant to a new one.',
  category: 'wallet',
  capability: 'privileged',
  riskLayer: 2,
  tickBudget: 'medium',
  progressSteps: ['Finding the keys', 'Wiping them', 'Reading what is left'],
  sprite: 'failure',
  promptSnippet: 'Wipes session keys and asks the owner to end their grants.',
  guidelines: {
    thriving: 'Revoke a key that may have leaked, at once.',
    cautious: 'Revoke keys that are not needed any more.',
    declining: 'Keep the key that settles; revoke the others.',
    terminal: 'Leave it to the death, which wipes the last key after it has settled.',
  },
  stages,
  destructive: true,
  idempotent: true,
  input: z.strictObject({
    golem: golemField.optional(),
    keyIds: z
      .array(z.string().regex(/^0x[0-9a-f]{64,130}$/, 'give a key id of wallet_list_session_keys'))
      .min(1)
      .max(100)
      .optional()
      .describe('Public keys of wallet_list_session_keys. Left out: all keys.'),
    reason: labelField.optional().describe('Why, in a few words for the owner.'),
    idempotencyKey: idempotencyField.optional(),
  }),
  subject: ({ golem }) => golem,
  output: z.strictObject({
    wiped: z.array(z.string()).describe('Keys that were wiped now'),
    alreadyWiped: z.array(z.string()),
    revokedOnChain: z.boolean().describe('That is the owner’s to sign; true once the chain shows it'),
    ownerRequests: z.array(z.string()).describe('Requests to the owner to end the grants of these keys'),
    gasLeftWei: z.string().describe('What the wiped keys hold, out of reach'),
    activeKeys: z.number(),
  }),
  told: {
    start: ({ keyIds }) => ({ keyIds: keyIds?.length ?? 0, revokeAll: keyIds === undefined }),
    end: ({ wiped, activeKeys }) => ({ revokedCount: wiped.length, activeKeys }),
  },
  say: ({ wiped, alreadyWiped, revokedOnChain, ownerRequests, activeKeys }) =>
    [
      `${wiped.length} keys are wiped here (${alreadyWiped.length} were before), ${activeKeys} are in use.`,
      revokedOnChain
        ? 'The chain shows their grants as disabled.'
        : `On the chain their grants stand until the owner ends them: ${ownerRequests.length} requests wait for it.`,
    ].join(' '),
  async run(context, { keyIds, reason = 'a session key is revoked' }, { subject, progress }) {
    const { store, client } = context
    await progress('Finding the keys')
    const known = await store.sessionKeys.list(subject.id)
    const chosen = keyIds ? keyIds.map((id) => found(known, id)) : known
    const fresh = chosen.filter(({ status }) => status !== 'wiped')
    const grants = (await knownGrants(store, subject.id)).filter(({ isCurrent }) => isCurrent)
    await progress('Wiping them')
    await store.transaction(async (transaction) => {
      for (const { publicKey, address } of fresh) {
        await transaction.sessionKeys.wipe(publicKey)
        tell(transaction, subject.id, [{ name: 'sessionKey.wiped', address }])
        const held = grants.filter(({ delegation }) => isAddressEqual(delegation.delegate, address))
        if (held.length === 0) continue
        const request = requestOf(publicKey)
        const body = {
          because: reason,
          delegations: held.map(({ delegation }) => hashDelegation(delegation)),
        }
        const filing = { id: request, golem: subject.id, kind: 'revoke', body }
        if (await transaction.ownerRequests.file(filing))
          tell(transaction, subject.id, [{ name: 'owner.requestFiled', request, kind: 'revoke' }])
      }
    })
    await progress('Reading what is left')
    await answerUnattended(context, subject.id)
    const requests = new Set((await store.ownerRequests.pending(subject.id)).map(({ id }) => id))
    const balances = await Promise.all(chosen.map(({ address }) => client.getBalance({ address })))
    const now = await store.sessionKeys.list(subject.id)
    return {
      wiped: fresh.map(({ publicKey }) => publicKey),
      alreadyWiped: chosen.filter((key) => !fresh.includes(key)).map(({ publicKey }) => publicKey),
      revokedOnChain: await areDisabled(
        context,
        grants.flatMap(({ delegation }) =>
          chosen.some(({ address }) => isAddressEqual(address, delegation.delegate)) ? [delegation] : [],
        ),
      ),
      ownerRequests: chosen.map(({ publicKey }) => requestOf(publicKey)).filter((id) => requests.has(id)),
      gasLeftWei: `${balances.reduce((sum, balance) => sum + balance, 0n)}`,
      activeKeys: now.filter(({ status }) => status === 'active').length,
    }

    function requestOf(publicKey: string): string {
      return `${subject.id}:key:${publicKey}:revoke`
    }
  },
})

function found(known: readonly SessionKeyRecord[], id: string): SessionKeyRecord {
  const key = known.find(({ publicKey }) => publicKey === id)
  if (key) return key
  throw new BardoError('The Golem has no such key.', {
    code: 'INVALID_INPUT',
    remedy: 'Take key ids of wallet_list_session_keys.',
    docsPath: 'tools.md#what-a-call-may-hold',
  })
}
