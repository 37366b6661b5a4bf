import type { SmartAccountsEnvironment } from '@metamask/smart-accounts-kit'
import type { PermissionType } from './permissionSchema.ts'

/** Which rules can narrow which permission. */
const rulesOf = {
  'native-token-stream': ['expiry', 'redeemer', 'payee'],
  'native-token-periodic': ['expiry', 'redeemer', 'payee'],
  'native-token-allowance': ['expiry', 'redeemer', 'payee'],
  'erc20-token-stream': ['expiry', 'redeemer', 'payee'],
  'erc20-token-periodic': ['expiry', 'redeemer', 'payee'],
  'erc20-token-allowance': ['expiry', 'redeemer', 'payee'],
  'token-approval-revocation': ['expiry', 'redeemer'],
} as const satisfies Record<PermissionType, readonly string[]>

/** The permissions that this chain's contracts can enforce, each with its rules. */
export function supportedPermissions(
  environment: SmartAccountsEnvironment,
): ReadonlyMap<string, readonly string[]> {
  const supported = new Map<string, readonly string[]>(Object.entries(rulesOf))
  // MetaMask's newest enforcer: earlier deployments cannot revoke approvals.
  if (!environment.caveatEnforcers['ApprovalRevocationEnforcer'])
    supported.delete('token-approval-revocation')
  return supported
}
