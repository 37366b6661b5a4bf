import {
  type Delegation,
  metamaskCaveat,
  metamaskKinds,
  rootAuthority,
  type SmartAccount,
  signDelegation,
} from '@bardo/core'
import type { Address } from 'viem'

/** What a Golem can draw for its gas. */
export type GasAllowance = {
  /** Wei per period. At the boundary of two periods, twice this amount can be drawn within moments. */
  readonly amount: bigint
  readonly periodSeconds: bigint
  /** Unix seconds. Not in the future, or nothing can be drawn. */
  readonly start: bigint
}

/**
 * The owner's gas allowance: native currency, per period, to one address. The period enforcer checks only the
 * value and would let any call through, so two caveats fix the calldata to empty and the target to the payee.
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
    /** Who receives the gas. Default: the delegate. */
    readonly payee?: Address
    readonly allowance: GasAllowance
    readonly salt?: bigint
  },
): Promise<Delegation> {
  const { framework } = account
  const caveats = [
    metamaskCaveat(framework, metamaskKinds.NativeTokenPeriodTransfer, {
      amount,
      duration: periodSeconds,
      start,
    }),
    metamaskCaveat(framework, metamaskKinds.ExactCalldata, { calldata: '0x' }),
    metamaskCaveat(framework, metamaskKinds.AllowedTargets, { targets: [payee] }),
  ]
  return signDelegation(account, { delegate, authority: rootAuthority, caveats, salt })
}
