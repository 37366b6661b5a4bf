import { isAddressEqual } from 'viem'
import type { Delegation } from '../delegation/delegation.ts'
import { BardoError } from '../errors/BardoError.ts'
import { encodeRedemption } from '../redemption/encodeRedemption.ts'
import { encodeDisable } from '../redemption/managerCall.ts'
import type { OwnedAccount } from './ownedAccount.ts'
import type { OwnerCall } from './ownerCall.ts'
import { signVeto } from './signVeto.ts'

/**
 * The transaction that revokes, for the owner's key: sent from here, or from a wallet behind a web page.
 *
 * @example
 * const { to, data } = await revocationCall({ account, key: owner, deployment }, root)
 */
export async function revocationCall(
  { account, key, deployment }: OwnedAccount,
  delegation: Delegation,
  veto?: Delegation,
): Promise<OwnerCall> {
  const to = deployment.framework.DelegationManager
  if (!isAddressEqual(delegation.delegator, account.address))
    throw new BardoError('Only the delegator can revoke a delegation.', {
      code: 'INVALID_INPUT',
      details: [`delegator: ${delegation.delegator}`, `account: ${account.address}`],
    })
  const data = encodeDisable(delegation)
  if (account.kind === 'upgraded') return { to, data }
  const signed = veto ?? (await signVeto(account, { key, revoking: delegation }))
  return { to, data: encodeRedemption([{ links: [signed], calls: [{ to, data }] }]) }
}
