import { type Address, toFunctionSelector } from 'viem'
import { type SmartAccount, signDelegation } from '../accounts/smartAccount.ts'
import { metamaskKinds } from '../caveats/metamask/metamaskKinds.ts'
import { type Delegation, rootAuthority } from '../delegation/delegation.ts'
import { metamaskCaveat } from '../deployments/metamaskCaveat.ts'
import { encodeDisable } from '../redemption/managerCall.ts'

const disableSelector = toFunctionSelector(
  'disableDelegation((address,address,bytes32,(address,bytes,bytes)[],uint256,bytes))',
)

/** What a veto covers: one delegation, or any. */
export type Veto = {
  /** The key that can revoke. */
  readonly key: Address
  /** The delegation that it can revoke. Default: any delegation of the account. */
  readonly revoking?: Delegation
  /** A number that no veto with the same content has used. Default: 0. */
  readonly salt?: bigint
}

/**
 * The delegation that an account signs for a veto, unsigned: to show it to a wallet or to check it. It lets a key
 * revoke for an account that acts only for its EntryPoint or for a delegate, and allows only
 * `disableDelegation`.
 *
 * @example
 * const typedData = delegationTypedData(chainId, manager, unsignedVeto(account, { key: owner, revoking: root }))
 */
export function unsignedVeto(
  { address, framework }: Pick<SmartAccount, 'address' | 'framework'>,
  { key, revoking, salt = 0n }: Veto,
): Delegation {
  const target = framework.DelegationManager
  const caveats = revoking
    ? [
        metamaskCaveat(framework, metamaskKinds.ExactExecution, {
          execution: { target, value: 0n, callData: encodeDisable(revoking) },
        }),
      ]
    : [
        metamaskCaveat(framework, metamaskKinds.AllowedTargets, { targets: [target] }),
        metamaskCaveat(framework, metamaskKinds.AllowedMethods, { selectors: [disableSelector] }),
      ]
  return { delegate: key, delegator: address, authority: rootAuthority, caveats, salt, signature: '0x' }
}

/**
 * Signs a veto as the account: the delegation of {@link unsignedVeto}.
 *
 * @example
 * const veto = await signVeto(account, { key: owner, revoking: root })
 */
export function signVeto(account: SmartAccount, veto: Veto): Promise<Delegation> {
  return signDelegation(account, unsignedVeto(account, veto))
}
