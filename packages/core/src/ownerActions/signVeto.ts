import { type Address, encodeFunctionData, type Hex, toFunctionSelector } from 'viem'
import { type SmartAccount, signDelegation } from '../accounts/smartAccount.ts'
import { metamaskKinds } from '../caveats/metamask/metamaskKinds.ts'
import { type Delegation, rootAuthority } from '../delegation/delegation.ts'
import { metamaskCaveat } from '../deployments/metamaskCaveat.ts'
import { managerAbi } from '../redemption/managerAbi.ts'

const disableSelector = toFunctionSelector(
  'disableDelegation((address,address,bytes32,(address,bytes,bytes)[],uint256,bytes))',
)

/**
 * Lets a key revoke for an account that acts only for its EntryPoint or for a delegate: a delegation from the
 * account to the key that allows only `disableDelegation`. With `revoking` it covers one delegation; without
 * it, any.
 *
 * @param salt - a number that no veto with the same content has used
 *
 * @example
 * const veto = await signVeto(account, { key: owner, revoking: root })
 */
export function signVeto(
  account: SmartAccount,
  {
    key,
    revoking,
    salt = 0n,
  }: { readonly key: Address; readonly revoking?: Delegation; readonly salt?: bigint },
): Promise<Delegation> {
  const { framework } = account
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
  return signDelegation(account, { delegate: key, authority: rootAuthority, caveats, salt })
}

/**
 * The call that disables a delegation. Only its delegator can make it.
 *
 * @example
 * const call = { to: deployment.framework.DelegationManager, data: encodeDisable(root) }
 */
export function encodeDisable(delegation: Delegation): Hex {
  return encodeFunctionData({ abi: managerAbi, functionName: 'disableDelegation', args: [delegation] })
}
