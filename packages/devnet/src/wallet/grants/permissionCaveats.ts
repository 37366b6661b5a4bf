import {
  createErc20TokenAllowanceCaveats,
  createErc20TokenPeriodicCaveats,
  createErc20TokenStreamCaveats,
  createNativeTokenAllowanceCaveats,
  createNativeTokenPeriodicCaveats,
  createNativeTokenStreamCaveats,
  createTokenApprovalRevocationCaveats,
} from '@metamask/7715-permission-types'
import type { Caveat } from '@metamask/delegation-core'
import type { SmartAccountsEnvironment } from '@metamask/smart-accounts-kit'
import { bytesToHex, type Hex } from 'viem'
import { enforcerAddress } from './enforcerAddress.ts'
import type { GrantablePermission } from './permissionSchema.ts'

/**
 * The caveats that enforce a permission, from MetaMask's own builders: the amount, and that nothing else
 * moves. An ERC-20 permission allows no ether, a native one no calldata. An allowance is a period that never
 * ends.
 */
export function permissionCaveats(
  permission: GrantablePermission,
  environment: SmartAccountsEnvironment,
): Caveat<Hex>[] {
  return buildCaveats(permission, environment).map(({ enforcer, terms, args }) => ({
    enforcer: inHex(enforcer),
    terms: inHex(terms),
    args: inHex(args),
  }))
}

function inHex(bytes: Hex | Uint8Array): Hex {
  return typeof bytes === 'string' ? bytes : bytesToHex(bytes)
}

function buildCaveats(permission: GrantablePermission, environment: SmartAccountsEnvironment): Caveat[] {
  const at = (name: string) => enforcerAddress(environment, name)
  switch (permission.type) {
    case 'native-token-stream':
      return createNativeTokenStreamCaveats({
        permission,
        contracts: {
          nativeTokenStreamingEnforcer: at('NativeTokenStreamingEnforcer'),
          exactCalldataEnforcer: at('ExactCalldataEnforcer'),
        },
      })
    case 'native-token-periodic':
      return createNativeTokenPeriodicCaveats({
        permission,
        contracts: {
          nativeTokenPeriodTransferEnforcer: at('NativeTokenPeriodTransferEnforcer'),
          exactCalldataEnforcer: at('ExactCalldataEnforcer'),
        },
      })
    case 'native-token-allowance':
      return createNativeTokenAllowanceCaveats({
        permission,
        contracts: {
          nativeTokenPeriodTransferEnforcer: at('NativeTokenPeriodTransferEnforcer'),
          exactCalldataEnforcer: at('ExactCalldataEnforcer'),
        },
      })
    case 'erc20-token-stream':
      return createErc20TokenStreamCaveats({
        permission,
        contracts: {
          erc20StreamingEnforcer: at('ERC20StreamingEnforcer'),
          valueLteEnforcer: at('ValueLteEnforcer'),
        },
      })
    case 'erc20-token-periodic':
      return createErc20TokenPeriodicCaveats({
        permission,
        contracts: {
          erc20PeriodTransferEnforcer: at('ERC20PeriodTransferEnforcer'),
          valueLteEnforcer: at('ValueLteEnforcer'),
        },
      })
    case 'erc20-token-allowance':
      return createErc20TokenAllowanceCaveats({
        permission,
        contracts: {
          erc20PeriodTransferEnforcer: at('ERC20PeriodTransferEnforcer'),
          valueLteEnforcer: at('ValueLteEnforcer'),
        },
      })
    case 'token-approval-revocation':
      return createTokenApprovalRevocationCaveats({
        permission,
        contracts: { approvalRevocationEnforcer: at('ApprovalRevocationEnforcer') },
      })
  }
}
