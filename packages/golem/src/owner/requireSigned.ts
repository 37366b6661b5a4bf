import { BardoError, type Delegation, delegationTypedData } from '@bardo/core'
import type { AnswerContext } from './answerRequest.ts'

/** Refuses a delegation that its delegator did not sign, for this chain and manager. */
export async function requireSigned(
  { client, deployment }: Pick<AnswerContext, 'client' | 'deployment'>,
  signed: Delegation,
): Promise<void> {
  const manager = deployment.framework.DelegationManager
  const isSigned = await client.verifyTypedData({
    address: signed.delegator,
    ...delegationTypedData(deployment.chainId, manager, signed),
    signature: signed.signature,
  })
  if (!isSigned) throw otherGrant(['the account did not sign it'])
}

/** What came back is not what was asked for, nor less of it. */
export function otherGrant(details: readonly string[]): BardoError {
  return new BardoError('This is not what was asked for, nor less of it.', {
    code: 'GRANT_MALFORMED',
    details,
    remedy: 'Sign what the request shows, or something narrower.',
    docsPath: 'requests.md#kinds',
  })
}
