import { BardoError, type Delegation, delegationTypedData } from '@bardo/core'
import type { AnswerContext } from './answerRequest.ts'

type Chain = Pick<AnswerContext, 'client' | 'deployment'>

/** Whether its delegator signed a delegation, for this chain and manager. */
export function isSigned({ client, deployment }: Chain, signed: Delegation): Promise<boolean> {
  const manager = deployment.framework.DelegationManager
  return client.verifyTypedData({
    address: signed.delegator,
    ...delegationTypedData(deployment.chainId, manager, signed),
    signature: signed.signature,
  })
}

/** Refuses a delegation that its delegator did not sign. */
export async function requireSigned(chain: Chain, signed: Delegation): Promise<void> {
  if (!(await isSigned(chain, signed))) throw otherGrant(['the account did not sign it'])
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
