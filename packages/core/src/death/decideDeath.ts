/** The causes of death, in reporting order: actions of the owner come first. */
export const deathTriggers = [
  'killSwitch',
  'ownerRevocation',
  'policyViolation',
  'naturalExpiry',
  'callLimitReached',
  'economicExhaustion',
  'heartbeatAnomaly',
] as const

/** One cause of death. */
export type DeathTrigger = (typeof deathTriggers)[number]

/** The state of a Golem's root. The chain is read first, at one block; the store after it. */
export type RevocationEvidence = {
  /** A link is disabled at the newest block. */
  readonly seen: boolean
  /** It was already disabled `finality` blocks ago, so a usual reorganisation does not undo it. */
  readonly final: boolean
  /** The store has a root that is not the disabled one: the owner has signed again. */
  readonly hasSuccessor: boolean
  /** The owner is replacing the root, or is being asked to sign for a new key. */
  readonly isReplacing: boolean
}

/** What a watcher knows of a Golem with missed ticks. In seconds. */
export type SilenceEvidence = {
  /** Dead-man's switch of the signed terms; 0 for none. */
  readonly graceSeconds: number
  /** The time since a worker last claimed its tick. */
  readonly unclaimedSeconds: number
  /** The time since its row on the chain was last written. */
  readonly unpublishedSeconds: number
}

/**
 * The evidence on whether a Golem must die. Evidence that was not collected is omitted and is not a cause.
 */
export type DeathEvidence = {
  /** Unix seconds, from the chain. */
  readonly now: bigint
  /** The owner used the kill switch. */
  readonly killed?: boolean
  readonly revocation?: RevocationEvidence
  /** Its parent is dying or dead, which ends every authority signed above it. */
  readonly isOrphan?: boolean
  /** The last second of its time window. */
  readonly windowEnd?: bigint
  /** A limit of 0 means no limit. */
  readonly calls?: { readonly used: bigint; readonly limit: bigint } | undefined
  /** The survival score, 0 to 10,000. */
  readonly survivalScore?: number
  /** When the chain refused one of its actions. Refusals of the runtime are warnings and do not count. */
  readonly chainRefusals?: readonly bigint[]
  /** The owner's current constitution differs from the signed one. */
  readonly constitutionChanged?: boolean
  /** Omitted unless another process reported missed ticks. */
  readonly silence?: SilenceEvidence
}

/**
 * The meaning of a disabled root. `replaced`: the owner fed, adjusted or rotated, and the next tick loads the
 * new root. `unconfirmed`: wait until the block is final. Only `revoked` ends a life.
 */
export type Revocation = 'none' | 'replaced' | 'unconfirmed' | 'revoked'

/** The number of chain refusals in a day that ends a life. */
export const fatalRefusals = 3
/** The window in which refusals are counted. */
const refusalWindow = 86_400n
/** Below this score a Golem is Terminal: 0.1 of 1, in ten-thousandths. */
const terminalScore = 1_000

/**
 * Every cause of death that holds by the evidence, in reporting order. Empty while the Golem may live.
 *
 * @example
 * const [trigger] = decideDeath({ now, revocation, windowEnd, survivalScore })
 */
export function decideDeath(evidence: DeathEvidence): readonly DeathTrigger[] {
  const { now, windowEnd, calls, survivalScore, chainRefusals = [], revocation, silence } = evidence
  const recent = chainRefusals.filter((at) => now - at < refusalWindow)
  const holds: Readonly<Record<DeathTrigger, boolean>> = {
    killSwitch: evidence.killed === true,
    ownerRevocation:
      evidence.isOrphan === true || (revocation !== undefined && revocationOf(revocation) === 'revoked'),
    policyViolation: evidence.constitutionChanged === true || recent.length >= fatalRefusals,
    naturalExpiry: windowEnd !== undefined && now > windowEnd,
    callLimitReached: calls !== undefined && calls.limit > 0n && calls.used >= calls.limit,
    // NaN counts as too low.
    economicExhaustion: survivalScore !== undefined && !(survivalScore >= terminalScore),
    heartbeatAnomaly: silence !== undefined && isAbandoned(silence),
  }
  return deathTriggers.filter((trigger) => holds[trigger])
}

/**
 * The meaning of a disabled root. A Golem never dies if its root has a successor stored or in progress.
 *
 * @example
 * revocationOf({ seen: true, final: true, hasSuccessor: false, isReplacing: false })
 */
export function revocationOf({ seen, final, hasSuccessor, isReplacing }: RevocationEvidence): Revocation {
  if (!seen) return 'none'
  if (hasSuccessor || isReplacing) return 'replaced'
  return final ? 'revoked' : 'unconfirmed'
}

/** Whether the signed grace period has passed without a worker and without a write on the chain. */
function isAbandoned({ graceSeconds, unclaimedSeconds, unpublishedSeconds }: SilenceEvidence): boolean {
  return graceSeconds > 0 && unclaimedSeconds >= graceSeconds && unpublishedSeconds > graceSeconds
}
