import { BardoError, hashDelegation } from '@bardo/core'
import { fileRequest, recordEvents } from '@bardo/golem/events'
import { answerUnattended, areDisabled, knownGrants } from '@bardo/golem/requests'
import type { SessionKeyRecord } from '@bardo/store'
import { isAddressEqual } from 'viem'
import { z } from 'zod'
import { golemField, idempotencyField, labelField } from './fields.ts'
import { stages } from './stage.ts'
import { defineTool } from './toolDefinition.ts'

/** Wipes session keys, and asks the owner to disable the delegations that were granted to them. */
export const revokeSessionKey = defineTool({
  name: 'wallet_revoke_session_key',
  title: 'Revoke session keys',
  description:
    'Wipes session keys from this machine’s store (those in keyIds, or every key with all: true), so that Bardo never signs with them again; the gas of a key stays at its address. Only the owner can stop a stolen copy of a key: an owner request is filed to disable the key’s delegations on the chain. A Golem without a key is in observe-only mode, and its next tick asks the owner to sign a grant for a new key.',
  category: 'wallet',
  capability: 'privileged',
  riskLayer: 1,
  tickBudget: 'medium',
  progressSteps: ['Finding the keys', 'Wiping the keys', 'Reading the remaining keys'],
  sprite: 'failure',
  promptSnippet: 'Wipes session keys and asks the owner to disable their delegations.',
  guidelines: {
    thriving: 'Revoke a key at once if it may have leaked.',
    cautious: 'Revoke keys that are no longer needed.',
    declining: 'Keep the key for the settlement; revoke the others.',
    terminal: 'Do not call it: the wind-down wipes the last key after the settlement.',
  },
  stages,
  destructive: true,
  idempotent: true,
  input: z.strictObject({
    golem: golemField.optional(),
    all: z
      .literal(true)
      .optional()
      .describe('Wipe every key, including the active one. Give this or keyIds.'),
    keyIds: z
      .array(z.string().regex(/^0x[0-9a-f]{64,130}$/, 'must be a keyId of wallet_list_session_keys'))
      .min(1)
      .max(100)
      .optional()
      .describe('The keyIds of wallet_list_session_keys.'),
    reason: labelField.optional().describe('The reason, in a few words for the owner.'),
    idempotencyKey: idempotencyField.optional(),
  }),
  example: { keyIds: [`0x${'ab'.repeat(33)}`] },
  subject: ({ golem }) => golem,
  output: z.strictObject({
    wiped: z.array(z.string()).describe('The keys wiped by this call'),
    alreadyWiped: z.array(z.string()),
    revokedOnChain: z
      .boolean()
      .describe('True once the keys’ delegations are disabled on the chain; only the owner can do it'),
    ownerRequests: z
      .array(z.string())
      .describe('The owner requests to disable the delegations of these keys'),
    gasLeftWei: z.string().describe('The balance of the wiped keys, which can no longer be spent'),
    activeKeys: z.number(),
  }),
  eventFields: {
    start: ({ keyIds, all }) => ({ keyIds: keyIds?.length ?? 0, revokeAll: all === true }),
    end: ({ wiped, activeKeys }) => ({ revokedCount: wiped.length, activeKeys }),
  },
  say: ({ wiped, alreadyWiped, revokedOnChain, ownerRequests, activeKeys }) =>
    [
      `${wiped.length} keys wiped (${alreadyWiped.length} were wiped before), ${activeKeys} active.`,
      revokedOnChain
        ? 'Their delegations are disabled on the chain.'
        : `Their delegations stay valid on the chain until the owner disables them: ${ownerRequests.length} pending owner requests.`,
    ].join(' '),
  async run(context, { keyIds, all, reason = 'a session key was revoked' }, { subject, progress }) {
    const { store, client } = context
    if ((keyIds === undefined) === (all === undefined)) throw ambiguous()
    await progress('Finding the keys')
    const keys = await store.sessionKeys.list(subject.id)
    const chosen = keyIds ? keyIds.map((id) => keyById(keys, id)) : keys
    const fresh = chosen.filter(({ status }) => status !== 'wiped')
    const grants = (await knownGrants(store, subject.id)).filter(({ isCurrent }) => isCurrent)
    await progress('Wiping the keys')
    await store.transaction(async (transaction) => {
      for (const { publicKey, address } of fresh) {
        await transaction.sessionKeys.wipe(publicKey)
        recordEvents(transaction, subject.id, [{ name: 'sessionKey.wiped', address }])
        const held = grants.filter(({ delegation }) => isAddressEqual(delegation.delegate, address))
        if (held.length === 0) continue
        const request = requestOf(publicKey)
        const body = {
          because: reason,
          delegations: held.map(({ delegation }) => hashDelegation(delegation)),
        }
        await fileRequest(transaction, { id: request, golem: subject.id, kind: 'revoke', body })
      }
    })
    await progress('Reading the remaining keys')
    await answerUnattended(context, subject.id, ['revoke'])
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

/** Wiping every key needs an explicit `all: true`. */
function ambiguous(): BardoError {
  return new BardoError('Give either keyIds or all: true.', {
    code: 'INVALID_INPUT',
    remedy: 'Give the keyIds of wallet_list_session_keys. To wipe every key, give all: true.',
    docsPath: 'tools.md#input-rules',
  })
}

function keyById(keys: readonly SessionKeyRecord[], id: string): SessionKeyRecord {
  const key = keys.find(({ publicKey }) => publicKey === id)
  if (key) return key
  throw new BardoError('The Golem has no such key.', {
    code: 'INVALID_INPUT',
    remedy: 'Use a keyId of wallet_list_session_keys.',
    docsPath: 'tools.md#input-rules',
  })
}
