import { BardoError, type Delegation, delegationTypedData, hashDelegation } from '@bardo/core'
import { isAddressEqual, recoverTypedDataAddress } from 'viem'
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

/**
 * The delegations that their delegators signed. The store is not trusted: a forged row must not appear among what the
 * owner signed, nor count in its sums.
 */
export async function onlySigned(
  chain: Chain,
  delegations: readonly Delegation[],
): Promise<readonly Delegation[]> {
  const checks = new Map<string, Promise<boolean>>()
  const check = (one: Delegation) => {
    const key = `${hashDelegation(one)}${one.signature}`
    const known = checks.get(key) ?? isOwnSignature(chain, one)
    checks.set(key, known)
    return known
  }
  const signed = await Promise.all(delegations.map(check))
  return delegations.filter((_, place) => signed[place])
}

/** A key's signature is checked here; the chain is asked only about contracts. */
async function isOwnSignature(chain: Chain, delegation: Delegation): Promise<boolean> {
  const { chainId, framework } = chain.deployment
  const typed = delegationTypedData(chainId, framework.DelegationManager, delegation)
  try {
    const { signature } = delegation
    const signer = await recoverTypedDataAddress({ ...typed, signature })
    if (isAddressEqual(signer, delegation.delegator)) return true
  } catch {
    // Another format, which only the account itself can check.
  }
  return isSigned(chain, delegation)
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
