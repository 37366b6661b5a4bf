import type { Grant } from './grant.ts'

/**
 * The format of answers. `current`: as MetaMask's permission Snap answers from version 1.0. `signer`: as it
 * did up to version 0.8, which also could not report what it supports.
 */
export type GrantDialect = 'current' | 'signer'

/** What a page receives for a grant. */
export function grantAnswer({ response }: Grant, dialect: GrantDialect): unknown {
  if (dialect === 'current') return response
  const { chainId, from, to, permission, rules, context, delegationManager, dependencies } = response
  return {
    chainId,
    address: from,
    signer: { type: 'account', data: { address: to } },
    permission,
    rules: (rules ?? []).map((rule) => ({ ...rule, isAdjustmentAllowed: true })),
    context,
    dependencyInfo: dependencies,
    signerMeta: { delegationManager },
  }
}
