import { BardoError, hashDelegation } from '@bardo/core'
import type { OwnerRequest } from '@bardo/store'
import type { Accepted } from './accepted.ts'
import type { AnswerContext } from './answerRequest.ts'
import { isEnded } from './isEnded.ts'
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
  return { state: 'approved', body: {} }
}
