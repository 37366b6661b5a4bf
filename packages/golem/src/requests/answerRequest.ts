import { BardoError } from '@bardo/core'
import type { OwnerRequest } from '@bardo/store'
import { type Address, isAddressEqual } from 'viem'
import { proposalKind } from '../council/proposal.ts'
import { recordEvents } from '../events/recordEvents.ts'
import type { Accepted } from './accepted.ts'
import { acceptFunding } from './acceptFunding.ts'
import { acceptPermit } from './acceptPermit.ts'
import { acceptPolicy } from './acceptPolicy.ts'
import { acceptRedelegation } from './acceptRedelegation.ts'
import { acceptRevocation } from './acceptRevocation.ts'
import { acceptRunway } from './acceptRunway.ts'
import { acceptSessionKey } from './acceptSessionKey.ts'
import { wipeKeyOf } from './endRequests.ts'
import { answerGrant } from './grantRequest.ts'
import { type OwnerAnswer, readOwnerAsk } from './ownerRequest.ts'
import type { RequestContext } from './requestContext.ts'
import { requireLiving } from './requireLiving.ts'

/** The context of answers. */
export type AnswerContext = Pick<RequestContext, 'store' | 'client' | 'deployment' | 'book' | 'clock'>

/**
 * Answers a request as the owner: approve, approve a part, or refuse. Signatures are checked by their bytes,
 * transfers by
 * the chain; neither may exceed the request. An answer that does not match throws, and the request stays
 * pending.
 *
 * @param wallet - who answers; the caller has authenticated it
 * @returns false if the request was answered before, or has expired
 *
 * @example
 * await answerRequest(context, request.id, owner.address, { type: 'permitted', signature })
 */
export async function answerRequest(
  context: AnswerContext,
  id: string,
  wallet: Address,
  answer: OwnerAnswer,
): Promise<boolean> {
  const { store } = context
  const request = await store.ownerRequests.find(id)
  if (!request) throw new BardoError('Unknown request.', { code: 'INVALID_INPUT' })
  const golem = await store.golems.find(request.golem)
  if (!golem || !isAddressEqual(golem.owner, wallet))
    throw new BardoError('Only the owner can answer.', {
      code: 'ACTION_NOT_ALLOWED',
      remedy: 'Answer with the wallet that owns the Golem.',
      docsPath: 'requests.md#kinds',
    })
  if (request.kind === 'grant') return answerRotation(context, id, answer)
  const { state, body, apply } = await evaluateAnswer(context, request, answer, wallet)
  return store.transaction(async (transaction) => {
    if (!(await transaction.ownerRequests.answer(id, state, body))) return false
    if (state !== 'refused' && request.kind !== 'revoke') await requireLiving(transaction, request.golem)
    await apply?.(transaction)
    const granted = state !== 'refused'
    recordEvents(transaction, request.golem, [{ name: 'owner.requestAnswered', request: id, granted }])
    return true
  })
}

/** The grant of a rotation must match exactly. */
function answerRotation(context: AnswerContext, id: string, answer: OwnerAnswer): Promise<boolean> {
  if (answer.type === 'refused') return answerGrant(context, id, undefined)
  if (answer.type === 'delegated') return answerGrant(context, id, answer.delegation)
  throw unfit('grant', answer)
}

async function evaluateAnswer(
  context: AnswerContext,
  request: OwnerRequest,
  answer: OwnerAnswer,
  owner: Address,
): Promise<Accepted> {
  if (answer.type === 'refused') return refusal(request)
  if (request.kind === 'revoke' && answer.type === 'revoked') return acceptRevocation(context, request)
  if (request.kind === 'missedTicks' && answer.type === 'noted') return { state: 'approved', body: {} }
  if (request.kind === 'redelegate' && answer.type === 'renamed') return acceptRedelegation(context, request)
  if (request.kind === proposalKind) throw forCoSigners()
  const ask = readOwnerAsk(request)
  if (ask.type === 'runway' && answer.type === 'granted')
    return acceptRunway(context, request, ask, answer, owner)
  if (ask.type === 'sessionKey' && answer.type === 'delegated')
    return acceptSessionKey(context, request, ask, answer)
  if (ask.type === 'policy' && answer.type === 'permitted')
    return acceptPolicy(context, request, ask, answer, owner)
  if (ask.type === 'permit' && answer.type === 'permitted')
    return acceptPermit(context, request, ask, answer, owner)
  if (ask.type === 'fund' && answer.type === 'sent') return acceptFunding(context, ask, answer)
  throw unfit(request.kind, answer)
}

/** A refusal wipes the key that was created for the request. A row that cannot be read can be refused too. */
function refusal(request: OwnerRequest): Accepted {
  return { state: 'refused', body: {}, apply: (transaction) => wipeKeyOf(transaction, request) }
}

/** A proposal is not a request to the owner. */
export function forCoSigners(): BardoError {
  return new BardoError('Only its co-signers can approve a proposal. Its owner can refuse it.', {
    code: 'INVALID_INPUT',
    remedy: 'Give signatures with bardo requests ID cosign --signed FILE, or refuse it with no.',
    docsPath: 'council.md',
  })
}

function unfit(kind: string, { type }: OwnerAnswer): BardoError {
  return new BardoError('The answer does not match the request.', {
    code: 'INVALID_INPUT',
    details: [`request: ${kind}, answer: ${type}`],
  })
}
