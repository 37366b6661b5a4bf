import { type ActionPermit, actionPermitTypedData, BardoError } from '@bardo/core'
import type { Address, Hex } from 'viem'
import type { Accepted } from './accepted.ts'
import type { AnswerContext } from './answerRequest.ts'
import type { OwnerAnswer, OwnerAsk } from './ownerRequest.ts'

type Permitted = Extract<OwnerAnswer, { is: 'permitted' }>

/** The owner's word for one action: the permit of the request, signed by the owner's key. */
export async function acceptPermit(
  context: AnswerContext,
  { permit, account }: Extract<OwnerAsk, { is: 'permit' }>,
  { signature }: Permitted,
  owner: Address,
): Promise<Accepted> {
  await requirePermit(context, { permit, account, signature, owner })
  return { state: 'approved', body: { signature } }
}

/** Refuses a permit that the owner's key did not sign, or whose time is over. */
export async function requirePermit(
  { client, deployment, clock }: Pick<AnswerContext, 'client' | 'deployment' | 'clock'>,
  {
    permit,
    account,
    signature,
    owner,
  }: {
    readonly permit: ActionPermit
    readonly account: Address
    readonly signature: Hex
    readonly owner: Address
  },
): Promise<void> {
  const typedData = actionPermitTypedData(permit, deployment.chainId, account)
  const isSigned = await client.verifyTypedData({ address: owner, ...typedData, signature })
  const isOver = BigInt(Math.floor(clock.now() / 1_000)) > permit.deadline
  if (isSigned && !isOver) return
  throw new BardoError('This is not the owner’s permit.', {
    code: 'GRANT_MALFORMED',
    details: [isOver ? 'its time is over' : 'the owner did not sign it'],
    remedy: 'Sign the permit of the request as it is.',
    docsPath: 'requests.md#kinds',
  })
}
