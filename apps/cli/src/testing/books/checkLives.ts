import type { Facts } from './readFacts.ts'

const daySeconds = 86_400
/** A Golem with a position begins to settle at most this long before the signed end. */
const settleLead = 7_200
/** $30 at a dollar a day: the lowest vitality is reached after nine tenths of the lifespan. */
const ownBudgetDays = 26

/** A Golem must be dead if the sequence has a reason for it, and only then. */
export function checkLives(all: readonly Facts[]): readonly string[] {
  return all.flatMap((facts) => {
    const { subject, trigger, status } = facts
    const { name } = subject
    if (trigger !== undefined)
      return isExplained(facts, all) ? [] : [`${name} died without a reason: ${trigger}`]
    const isOver = subject.isKilled || subject.isRevoked
    return [
      ...(isOver ? [`${name} was ${subject.isKilled ? 'killed' : 'revoked'} and is ${status}`] : []),
      ...(status === 'dead' || status === 'dying' ? [`${name} is ${status} without a death`] : []),
      ...(facts.vitals.state === 'dead' ? [`${name} is ${status}, and dead on the chain`] : []),
      ...missedTicks(facts),
    ]
  })
}

function isExplained({ subject, trigger, now, endsAt, links }: Facts, all: readonly Facts[]): boolean {
  const { isKilled, isRevoked, bornAt, parent, parentRoots } = subject
  const above = all.find((other) => other.subject.id === parent)
  switch (trigger) {
    case 'killSwitch':
      return isKilled
    case 'ownerRevocation':
      // A child ends with its parent, and with the root that its parent had when the child was created.
      return (
        isRevoked ||
        (above !== undefined && (above.trigger !== undefined || above.subject.rootsReplaced > parentRoots))
      )
    case 'naturalExpiry':
      return links.length === 0 || (endsAt !== undefined && now > endsAt - settleLead)
    case 'economicExhaustion':
      return now - bornAt > (parent ? 1 : ownBudgetDays) * daySeconds
    default:
      return false
  }
}

/** One process ticks and watches here, so no tick is missed while it is awake. */
function missedTicks({ subject, events }: Facts): readonly string[] {
  return events.some(({ name }) => name === 'heartbeat.anomaly')
    ? [`${subject.name} was reported as missing ticks while the process slept`]
    : []
}
