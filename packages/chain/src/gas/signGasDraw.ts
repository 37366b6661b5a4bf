import { type Delegation, rootAuthority, stockKinds } from '@bardo/core'
import type { Address } from 'viem'
import { type SmartAccount, signDelegation } from '../accounts/smartAccount.ts'
import { stockCaveat } from '../owner/stockCaveat.ts'

/** What a Golem may draw for its gas. */
export type GasAllowance = {
  /** Wei in each period; at a period's edge twice that can leave within moments. */
  readonly amount: bigint
  readonly periodSeconds: bigint
  /** Unix seconds; not in the future, or nothing can be drawn. */
  readonly start: bigint
}

/**
 * The owner's allowance for gas: native currency, by the period, to one address. The enforcer of the period looks at
 * the value alone and would let any call through, so the calldata is fixed to nothing and the target to the payee.
 */
export function signGasDraw(
  account: SmartAccount,
  {
    delegate,
    payee = delegate,
    allowance: { amount, periodSeconds, start },
    salt = 0n,
  }: {
    readonly delegate: Address
    /** Where the gas goes: the delegate itself unless told. */
    readonly payee?: Address
    readonly allowance: GasAllowance
    readonly salt?: bigint
  },
): Promise<Delegation> {
  const { framework } = account
  const caveats = [
    stockCaveat(framework, stockKinds.NativeTokenPeriodTransfer, { amount, duration: periodSeconds, start }),
    stockCaveat(framework, stockKinds.ExactCalldata, { calldata: '0x' }),
    stockCaveat(framework, stockKinds.AllowedTargets, { targets: [payee] }),
  ]
  return signDelegation(account, { delegate, authority: rootAuthority, caveats, salt })
}
