import { BardoError } from '@bardo/core'
import type { Hash } from 'viem'
import type { OwnerRequestKind } from '../events/golemEvent.ts'
import { askResponder } from './askResponder.ts'
import type { RequestContext } from './requestContext.ts'

/**
 * Lets the owner responder answer the pending requests of a Golem. Returns the answered ones. Does nothing
 * without a
 * responder.
 *
 * @param kinds - answer only these kinds; default: every kind
 *
 * @example
 * for (const { id } of await store.golems.list({ owner })) await answerUnattended(context, id)
 */
export async function answerUnattended(
  context: RequestContext,
  golem: Hash,
  kinds?: readonly OwnerRequestKind[],
): Promise<readonly string[]> {
  const answered: string[] = []
  for (const request of await context.store.ownerRequests.pending(golem)) {
    if (kinds && !kinds.some((kind) => kind === request.kind)) continue
    try {
      if (await askResponder(context, request)) answered.push(request.id)
    } catch (error) {
      // An answer that does not match leaves its request pending and does not affect the others.
      if (!(error instanceof BardoError)) throw error
    }
  }
  return answered
}
