import {
  type CustodyEvent,
  type Delegation,
  type Deployment,
  delegationEnd,
  expiryWarningSeconds,
  hashDelegation,
} from '@bardo/core'

/** Emits a warning if a delegation ends soon. Returns the remaining seconds; undefined if it has no end. */
export function warnOfExpiry(
  delegation: Delegation,
  {
    deployment,
    now,
    onEvent,
  }: {
    readonly deployment: Deployment
    /** The block time in Unix seconds. */
    readonly now: bigint
    readonly onEvent: (event: CustodyEvent) => void
  },
): bigint | undefined {
  const end = delegationEnd(delegation, deployment)
  if (end === undefined) return undefined
  const secondsRemaining = end > now ? end - now : 0n
  if (secondsRemaining > 0n && secondsRemaining <= BigInt(expiryWarningSeconds))
    onEvent({
      name: 'custody.delegationExpiring',
      delegationHash: hashDelegation(delegation),
      secondsRemaining,
    })
  return secondsRemaining
}
