import { type ActionPermit, actionPermitTypedData, BardoError } from '@bardo/core'
import type { OwnerRequest } from '@bardo/store'
import type { Address, Hex } from 'viem'
import type { Accepted } from './accepted.ts'
import type { AnswerContext } from './answerRequest.ts'
import type { OwnerAnswer, OwnerAsk } from './ownerRequest.ts'
import { migrationPermit } from './rebuildPermit.ts'

type Permitted = Extract<OwnerAnswer, { type: 'permitted' }>

/** Accepts the permit of a request, signed by the owner's key. */
export async function acceptPermit(
  context: AnswerContext,
  request: Pick<OwnerRequest, 'id' | 'golem'>,
  ask: Extract<OwnerAsk, { type: 'permit' }>,
  { signature }: Permitted,
  owner: Address,
): Promise<Accepted> {
  const permit = migrationPermit(request, ask, context.book, BigInt(Math.floor(context.clock.now() / 1_000)))
  const { account } = ask
  await requirePermit(context, { permit, account, signature, owner })
  return { state: 'approved', body: { signature } }
}

/** Throws if the owner's key did not sign the permit, or if it has expired. */
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
  throw new BardoError('The permit is invalid.', {
    code: 'GRANT_MALFORMED',
    details: [isOver ? 'the permit has expired' : 'the owner did not sign it'],
    remedy: 'Sign the permit of the request unchanged.',
    docsPath: 'requests.md#kinds',
  })
}
