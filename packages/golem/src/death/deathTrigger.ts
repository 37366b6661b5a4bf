/** What ends a life. */
export const deathTriggers = [
  'killSwitch',
  'ownerRevocation',
  'policyViolation',
  'naturalExpiry',
  'callLimitReached',
  'economicExhaustion',
  'heartbeatAnomaly',
] as const

/** One of them. */
export type DeathTrigger = (typeof deathTriggers)[number]

/** What is known when it is asked whether a Golem has to die. Times are Unix seconds of the chain. */
export type DeathFacts = {
  readonly now: bigint
  readonly killed: boolean
  /** Its root is disabled on-chain. */
  readonly revoked: boolean
  /** The last second of its window. */
  readonly windowEnd: bigint
  readonly calls: { readonly used: bigint; readonly limit: bigint } | undefined
  /** The survival score, 0 to 10,000. */
  readonly survivalScore: number
  /** When the chain refused one of its actions. Refusals of the runtime are warnings and do not count. */
  readonly chainRefusals: readonly bigint[]
  /** The owner's constitution is another than the one that was signed. */
  readonly constitutionChanged: boolean
  /** Filed by another worker. */
  readonly missedTicks: number
}

/** Refusals by the chain in a day that end a life. Origin: DESIGN §5a. */
export const fatalRefusals = 3
/** The day they are counted over. Origin: DESIGN §5a. */
const refusalWindow = 86_400n
/** Ticks that may be missed before it counts as gone. Origin: DESIGN §5a. */
export const fatalMissedTicks = 3
/** Below this a Golem is Terminal. Origin: DESIGN §5a, 0.1 of 10,000. */
const terminalScore = 1_000

/** Why a Golem has to die now; undefined while it may live. Where several hold, what the owner did comes first. */
export function deathTrigger(facts: DeathFacts): DeathTrigger | undefined {
  return deathTriggersIn(facts)[0]
}

/** All that would end a life now. */
export function deathTriggersIn(facts: DeathFacts): readonly DeathTrigger[] {
  const { now, calls, windowEnd } = facts
  const recent = facts.chainRefusals.filter((at) => now - at < refusalWindow)
  const holds: Readonly<Record<DeathTrigger, boolean>> = {
    killSwitch: facts.killed,
    ownerRevocation: facts.revoked,
    policyViolation: facts.constitutionChanged || recent.length >= fatalRefusals,
    naturalExpiry: now > windowEnd,
    callLimitReached: calls !== undefined && calls.limit > 0n && calls.used >= calls.limit,
    // What is no number is no life.
    economicExhaustion: !(facts.survivalScore >= terminalScore),
    heartbeatAnomaly: facts.missedTicks >= fatalMissedTicks,
  }
  return deathTriggers.filter((trigger) => holds[trigger])
}
