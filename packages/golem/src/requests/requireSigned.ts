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

/** Throws if the delegator did not sign the delegation. */
export async function requireSigned(chain: Chain, signed: Delegation): Promise<void> {
  if (!(await isSigned(chain, signed))) throw otherGrant(['the account did not sign it'])
}

/** Thrown when an answer is neither the requested one nor narrower. */
export function otherGrant(details: readonly string[]): BardoError {
  return new BardoError('The answer is neither what was requested nor a part of it.', {
    code: 'GRANT_MALFORMED',
    details,
    remedy: 'Sign the request as shown, or something narrower.',
    docsPath: 'requests.md#kinds',
  })
}
