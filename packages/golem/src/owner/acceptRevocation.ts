import { BardoError, hashDelegation } from '@bardo/core'
import type { OwnerRequest } from '@bardo/store'
import { z } from 'zod'
import type { Accepted } from './accepted.ts'
import type { AnswerContext } from './answerRequest.ts'
import { isEnded } from './isEnded.ts'
import { knownGrants } from './knownGrants.ts'

const body = z.looseObject({ delegations: z.array(z.string()) })

/** A revocation is done once the chain says so of every delegation that was named, or of one above it. */
export async function acceptRevocation(
  context: AnswerContext,
  request: Pick<OwnerRequest, 'golem' | 'body'>,
): Promise<Accepted> {
  const { delegations } = body.parse(request.body)
  const known = (await knownGrants(context.store, request.golem)).map(({ delegation }) => delegation)
  for (const hash of delegations) {
    const found = known.find((delegation) => hashDelegation(delegation) === hash)
    if (found && (await isEnded(context, found, known))) continue
    throw new BardoError('A delegation still stands.', {
      code: 'STEP_OUT_OF_ORDER',
      details: [hash],
      remedy: 'Revoke it with the owner’s wallet first.',
      docsPath: 'requests.md#kinds',
    })
  }
  return { state: 'approved', body: {} }
}
