import { type PreparedSignatures, prepareSignatures, type SignatureParties } from './prepareSignatures.ts'

/**
 * What an owner signs for the example vault manager: deposits and withdrawals, trades between USDC and WETH,
 * at most $1,000 in any 24 hours, for the days of its runway.
 *
 * @example
 * const { root } = vaultManagerPermissions(30, parties)
 * const signature = await owner.signTypedData(delegationTypedData(chainId, manager, root))
 */
export function vaultManagerPermissions(runwayDays: number, parties: SignatureParties): PreparedSignatures {
  const text = `${vaultManager}\n\nbudget: $1,000/day\nlifespan: ${runwayDays} days`
  return prepareSignatures(text, parties)
}

const vaultManager = `Deposit USDC into the vault.
Withdraw USDC from the vault.
Trade between USDC and WETH.`
