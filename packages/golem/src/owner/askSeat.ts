import type { OwnerRequest } from '@bardo/store'
import { isAddressEqual } from 'viem'
import type { ToolContext } from '../tools/toolContext.ts'
import { answerRequest } from './answerRequest.ts'

/** Lets an owner who answers unattended say their word to a request of a Golem of theirs. False where nobody did. */
export async function askSeat(context: ToolContext, request: OwnerRequest): Promise<boolean> {
  const { store, owner } = context
  const golem = owner && (await store.golems.find(request.golem))
  if (!owner || !golem || !isAddressEqual(golem.owner, owner.address)) return false
  const answer = await owner.answer(request)
  return answer !== undefined && answerRequest(context, request.id, owner.address, answer)
}
