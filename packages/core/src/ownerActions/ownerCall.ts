import { signDelegation } from '../accounts/smartAccount.ts'
import { metamaskKinds } from '../caveats/metamask/metamaskKinds.ts'
import { rootAuthority } from '../delegation/delegation.ts'
import { metamaskCaveat } from '../deployments/metamaskCaveat.ts'
import type { Call } from '../redemption/encodeExecution.ts'
import { encodeRedemption } from '../redemption/encodeRedemption.ts'
import type { OwnedAccount } from './ownedAccount.ts'

/** A transaction for the owner's key, from any wallet. */
export type OwnerCall = Required<Pick<Call, 'to' | 'data'>>

/**
 * The transaction with which the owner's key makes the owner's account execute one call. A smart account acts
 * only for its EntryPoint or for a delegate, so the account delegates exactly this call to the key.
 *
 * @example
 * const { to, data } = await ownerCall(signer, { to: vault, data: redeemCall })
 */
export async function ownerCall(
  { account, key, deployment }: OwnedAccount,
  call: Call,
): Promise<OwnerCall & Pick<Call, 'value'>> {
  const { to, value = 0n, data = '0x' } = call
  if (account.kind === 'upgraded') return { to, value, data }
  const { framework } = deployment
  const execution = { target: to, value, callData: data }
  const caveats = [metamaskCaveat(framework, metamaskKinds.ExactExecution, { execution })]
  const signed = await signDelegation(account, { delegate: key, authority: rootAuthority, caveats, salt: 0n })
  return { to: framework.DelegationManager, data: encodeRedemption([{ links: [signed], calls: [call] }]) }
}
