import { type Delegation, rootAuthority, stockKinds } from '@bardo/core'
import { type Address, encodeFunctionData, type Hex, toFunctionSelector } from 'viem'
import { managerAbi } from '../accounts/abi.ts'
import { type SmartAccount, signDelegation } from '../accounts/smartAccount.ts'
import { stockCaveat } from './stockCaveat.ts'

const disableSelector = toFunctionSelector(
  'disableDelegation((address,address,bytes32,(address,bytes,bytes)[],uint256,bytes))',
)

/**
 * Lets a key revoke for an account that only moves for its EntryPoint or for a delegate: account → key, nothing but
 * `disableDelegation`. Signed on the spot it is for one delegation; signed ahead and kept, for whichever.
 *
 * @param salt - any number that was not used for a veto of the same content
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
        stockCaveat(framework, stockKinds.ExactExecution, {
          execution: { target, value: 0n, callData: encodeDisable(revoking) },
        }),
      ]
    : [
        stockCaveat(framework, stockKinds.AllowedTargets, { targets: [target] }),
        stockCaveat(framework, stockKinds.AllowedMethods, { selectors: [disableSelector] }),
      ]
  return signDelegation(account, { delegate: key, authority: rootAuthority, caveats, salt })
}

/** The call that ends a delegation for good. Only its delegator may make it. */
export function encodeDisable(delegation: Delegation): Hex {
  return encodeFunctionData({ abi: managerAbi, functionName: 'disableDelegation', args: [delegation] })
}
