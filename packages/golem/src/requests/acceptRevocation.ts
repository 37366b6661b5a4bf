import { BardoError, type Delegation, hashDelegation } from '@bardo/core'
import type { OwnerRequest } from '@bardo/store'
import type { Hash } from 'viem'
import { recordEvents } from '../events/recordEvents.ts'
import { readStoredDeath } from '../state/storedState.ts'
import type { Accepted } from './accepted.ts'
import type { AnswerContext } from './answerRequest.ts'
import { isEnded } from './isEnded.ts'
import { findRevocation, isEndedByChain } from './keyEnd.ts'
import { knownGrants } from './knownGrants.ts'
import { readRevocation } from './ownerRequest.ts'

/** Accepts once the chain shows every named delegation, or one above it, as disabled. */
export async function acceptRevocation(
  context: AnswerContext,
  request: Pick<OwnerRequest, 'golem' | 'kind' | 'body'>,
): Promise<Accepted> {
  const delegations = readRevocation(request)
  const grants = (await knownGrants(context.store, request.golem)).map(({ delegation }) => delegation)
  for (const hash of delegations) {
    const grant = grants.find((delegation) => hashDelegation(delegation) === hash)
    if (grant && (await isEnded(context, grant, grants))) continue
    throw new BardoError('A delegation is still valid.', {
      code: 'STEP_OUT_OF_ORDER',
      details: [hash],
      remedy: 'Revoke it with the owner’s wallet first.',
      docsPath: 'requests.md#kinds',
    })
  }
  const ended = grants.filter((grant) => delegations.includes(hashDelegation(grant)))
  const apply = await endOfKey(context, request.golem, ended)
  return { state: 'approved', body: {}, ...(apply && { apply }) }
}

/**
 * Records the end of the key's authority, if the Golem died without giving it up by itself: it had no key or
 * no gas. Every other death has recorded it.
 */
async function endOfKey(
  context: AnswerContext,
  golem: Hash,
  ended: readonly Delegation[],
): Promise<Accepted['apply']> {
  const death = readStoredDeath((await context.store.golemStates.find(golem))?.death)
  const hasSurrendered = !death?.impossible.some(({ step }) => step === 'surrender')
  if (!death || hasSurrendered || isEndedByChain(death.trigger)) return undefined
  const cause = await findRevocation(context, ended, BigInt(Math.floor(context.clock.now() / 1_000)))
  if (!cause) return undefined
  return async (transaction) => recordEvents(transaction, golem, [{ name: 'sessionKey.revoked', cause }])
}
