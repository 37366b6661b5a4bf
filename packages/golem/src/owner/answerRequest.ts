import { BardoError } from '@bardo/core'
import type { OwnerRequest, Transaction } from '@bardo/store'
import { type Address, isAddressEqual } from 'viem'
import { answerGrant } from '../runtime/grantRequest.ts'
import { tell } from '../runtime/summoning.ts'
import type { ToolContext } from '../tools/toolContext.ts'
import type { Accepted } from './accepted.ts'
import { acceptFunding } from './acceptFunding.ts'
import { acceptPermit } from './acceptPermit.ts'
import { acceptPolicy } from './acceptPolicy.ts'
import { acceptRedelegation } from './acceptRedelegation.ts'
import { acceptRevocation } from './acceptRevocation.ts'
import { acceptRunway } from './acceptRunway.ts'
import { acceptSessionKey } from './acceptSessionKey.ts'
import { type OwnerAnswer, readOwnerAsk } from './ownerRequest.ts'

/** What answers are judged with. */
export type AnswerContext = Pick<ToolContext, 'store' | 'client' | 'deployment' | 'book' | 'clock'>

/**
 * The owner's answer to a request: yes, yes to less, or no. What was signed is judged by its bytes, what was sent by the
 * chain; never may it be more than was asked for. What does not fit is an error, and the request goes on waiting.
 *
 * @param wallet - who answers, as the caller has made sure
 * @returns false if there was an answer before, or the time is over
 *
 * @example
 * await answerRequest(context, request.id, owner.address, { is: 'permitted', signature })
 */
export async function answerRequest(
  context: AnswerContext,
  id: string,
  wallet: Address,
  answer: OwnerAnswer,
): Promise<boolean> {
  const { store } = context
  const request = await store.ownerRequests.find(id)
  if (!request) throw new BardoError('There is no such request.', { code: 'INVALID_INPUT' })
  const golem = await store.golems.find(request.golem)
  if (!golem || !isAddressEqual(golem.owner, wallet))
    throw new BardoError('Only the owner answers.', {
      code: 'ACTION_NOT_ALLOWED',
      remedy: 'Answer with the wallet that owns this Golem.',
      docsPath: 'requests.md#kinds',
    })
  if (request.kind === 'grant') return answerRotation(context, id, answer)
  const { state, body, apply } = await judge(context, request, answer, wallet)
  return store.transaction(async (transaction) => {
    if (!(await transaction.ownerRequests.answer(id, state, body))) return false
    await apply?.(transaction)
    const granted = state !== 'refused'
    tell(transaction, request.golem, [{ name: 'owner.requestAnswered', request: id, granted }])
    return true
  })
}

/** A rotation's grant has its own rules: exactly as asked, or not. */
function answerRotation(context: AnswerContext, id: string, answer: OwnerAnswer): Promise<boolean> {
  if (answer.is === 'refused') return answerGrant(context, id, undefined)
  if (answer.is === 'delegated') return answerGrant(context, id, answer.delegation)
  throw unfit('grant', answer)
}

async function judge(
  context: AnswerContext,
  request: OwnerRequest,
  answer: OwnerAnswer,
  owner: Address,
): Promise<Accepted> {
  if (answer.is === 'refused') return refusal(context, request)
  if (request.kind === 'revoke' && answer.is === 'revoked') return acceptRevocation(context, request)
  if (request.kind === 'redelegate' && answer.is === 'renamed') return acceptRedelegation(context, request)
  const ask = readOwnerAsk(request)
  if (ask.is === 'runway' && answer.is === 'granted') return acceptRunway(context, request, ask, answer)
  if (ask.is === 'sessionKey' && answer.is === 'delegated')
    return acceptSessionKey(context, request, ask, answer)
  if (ask.is === 'policy' && answer.is === 'permitted')
    return acceptPolicy(context, request, ask, answer, owner)
  if (ask.is === 'permit' && answer.is === 'permitted') return acceptPermit(context, ask, answer, owner)
  if (ask.is === 'fund' && answer.is === 'sent') return acceptFunding(context, ask, answer)
  throw unfit(request.kind, answer)
}

/** A key that nobody will ever accept is wiped with the no. */
async function refusal({ store }: AnswerContext, request: OwnerRequest): Promise<Accepted> {
  const key = request.kind === 'sessionKey' ? readOwnerAsk(request) : undefined
  const known = key?.is === 'sessionKey' ? await store.sessionKeys.find(key.publicKey) : undefined
  const wipe = async ({ sessionKeys }: Transaction) => {
    if (known) await sessionKeys.wipe(known.publicKey)
  }
  return { state: 'refused', body: {}, apply: wipe }
}

function unfit(kind: string, { is }: OwnerAnswer): BardoError {
  return new BardoError('This is no answer to that request.', {
    code: 'INVALID_INPUT',
    details: [`it asks for ${kind}, the answer is ${is}`],
  })
}
