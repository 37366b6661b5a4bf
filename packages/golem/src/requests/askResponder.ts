import type { OwnerRequest } from '@bardo/store'
import { isAddressEqual } from 'viem'
import { answerRequest } from './answerRequest.ts'
import type { RequestContext } from './requestContext.ts'

/** Lets the owner responder answer a request of one of its owner's Golems. False if it did not answer. */
export async function askResponder(context: RequestContext, request: OwnerRequest): Promise<boolean> {
  const { store, owner } = context
  const golem = owner && (await store.golems.find(request.golem))
  if (!owner || !golem || !isAddressEqual(golem.owner, owner.address)) return false
  const answer = await owner.answer(request)
  return answer !== undefined && answerRequest(context, request.id, owner.address, answer)
}
