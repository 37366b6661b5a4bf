import { isDisabled } from '@bardo/chain'
import { BardoError, encodeContext, encodeDisable } from '@bardo/core'
import { type Hash, isAddressEqual } from 'viem'
import { eventToJson } from '../events/eventToJson.ts'
import type { GolemParts } from '../permission/golemParts.ts'
import type { GolemSubmitter } from '../submission/openSubmitter.ts'
import { submitOnce } from '../submission/submitOnce.ts'
import { readShared, type SharedDelegation, writeShared } from './storedDelegations.ts'

/**
 * Ends every delegation that a Golem gave to a receiver, on the chain: the key that signed it disables it. Ends
 * no other.
 *
 * @param to - the receiver's name, key or delegation hash
 */
export async function endGiven(
  { id, store, client, deployment }: GolemParts,
  openSubmitter: () => Promise<GolemSubmitter>,
  to: string,
): Promise<readonly Hash[]> {
  const names = ({ peer, delegate, hash }: SharedDelegation) =>
    [peer, delegate, hash].some((name) => name.toLowerCase() === to.toLowerCase())
  const given = await readShared(store, id, 'given')
  const found = given.filter((one) => !one.isEnded && names(one))
  if (found.length === 0)
    throw new BardoError('The Golem has given no active delegation to this receiver.', {
      code: 'INVALID_INPUT',
      details: [
        to,
        `active: ${given.flatMap((one) => (one.isEnded ? [] : [one.peer])).join(', ') || 'none'}`,
      ],
      docsPath: 'golem.md#another-golem',
    })
  for (const one of found) await end(one)
  return found.map(({ hash }) => hash)

  async function end({ hash, links, type, peer, endsAt }: SharedDelegation): Promise<void> {
    if (!(await isDisabled({ client, deployment }, links[0]))) await disable(links[0])
    await store.transaction(async (transaction) => {
      const row = { type, peer, endsAt, context: encodeContext(links), isEnded: true }
      await writeShared(transaction, id, 'given', row)
      const ended = { name: 'delegation.givenEnded', delegation: hash } as const
      transaction.record([{ golem: id, name: ended.name, body: eventToJson(ended) }])
    })

    async function disable(delegation: SharedDelegation['links'][0]): Promise<void> {
      const submitter = await openSubmitter()
      if (!isAddressEqual(submitter.address, delegation.delegator)) throw signedBefore(delegation.delegator)
      const request = {
        id: `${id}:given:${hash}:end`,
        to: deployment.framework.DelegationManager,
        data: encodeDisable(delegation),
      }
      const { status, hash: transaction } = await submitOnce(store.journal, submitter, request)
      if (status === 'success') return
      throw new BardoError('The DelegationManager refused to disable the delegation.', {
        code: 'TRANSACTION_REVERTED',
        outcome: 'landed',
        details: [`transaction ${transaction}`],
      })
    }
  }
}

/** Only the key that signed a delegation can disable it, and a rotation wipes that key. */
function signedBefore(key: string): BardoError {
  return new BardoError('The key that signed this delegation was replaced, and cannot disable it.', {
    code: 'ACTION_NOT_ALLOWED',
    details: [`signed by ${key}`],
    remedy: 'End it with the root: bardo feed or bardo adjust signs a new root and revokes the old one.',
    docsPath: 'golem.md#another-golem',
  })
}
