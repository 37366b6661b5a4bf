import { BardoError } from '../errors/BardoError.ts'

/** What one operation takes of the budget until the chain's own count has it. */
export type Reservation = {
  readonly amount: bigint
  /** The block it landed in; undefined while it is on its way. */
  readonly landedIn: bigint | undefined
}

/** The chain's word: what is left of the signed budget, after all of a block. */
export type BudgetReading = { readonly left: bigint; readonly block: bigint }

/**
 * A key's budget as its process knows it: the chain's last word, less what that word cannot know yet. Plain data; all
 * functions return a new one.
 */
export type SessionBudget = {
  readonly signed: bigint
  readonly reading: BudgetReading
  readonly reservations: Readonly<Record<string, Reservation>>
  /** Operations that were ever reserved: what the rotation policy counts. */
  readonly operations: number
}

/** A budget of which nothing is reserved. */
export function openBudget(signed: bigint, reading: BudgetReading): SessionBudget {
  requireAmount(signed)
  requireAmount(reading.left)
  return { signed, reading, reservations: {}, operations: 0 }
}

/** What another operation may take: never more than the chain said is left. */
export function availableOf({ reading, reservations }: SessionBudget): bigint {
  const reserved = Object.values(reservations).reduce((sum, { amount }) => sum + amount, 0n)
  return reserved >= reading.left ? 0n : reading.left - reserved
}

/**
 * Sets an operation's most expensive outcome aside before it is signed. Its id is the intent's, so that trying again
 * reserves nothing more.
 */
export function reserve(budget: SessionBudget, id: string, amount: bigint): SessionBudget {
  requireAmount(amount)
  const known = ownReservation(budget, id)
  if (known) {
    if (known.amount === amount && known.landedIn === undefined) return budget
    throw new BardoError('This operation is reserved with another amount.', {
      code: 'INVALID_INPUT',
      details: [id, `${known.amount} before, ${amount} now`],
    })
  }
  const available = availableOf(budget)
  if (amount > available)
    throw new BardoError('The session’s budget does not have that much left.', {
      code: 'SPEND_LIMIT_EXCEEDED',
      details: [`${amount} asked for`, `${available} available`, `${budget.reading.left} left on the chain`],
      remedy: 'Ask for less, or wait for what is on its way and for the window to move on.',
    })
  return {
    ...withReservation(budget, id, { amount, landedIn: undefined }),
    operations: budget.operations + 1,
  }
}

/** The operation will never land: what it took is free again. */
export function release(budget: SessionBudget, id: string): SessionBudget {
  return ownReservation(budget, id)?.landedIn === undefined ? without(budget, id) : budget
}

/**
 * The operation landed for good and took `spent`. That stays set aside until the chain's word is as young as the block
 * it landed in: dropped before, it would be spendable twice; kept after, it would count twice.
 */
export function land(budget: SessionBudget, id: string, spent: bigint, block: bigint): SessionBudget {
  requireAmount(spent)
  if (!ownReservation(budget, id)) return budget
  if (block <= budget.reading.block) return without(budget, id)
  return withReservation(budget, id, { amount: spent, landedIn: block })
}

/** Takes the chain's word. An older one than is known changes nothing: answers may come out of order. */
export function reconcile(budget: SessionBudget, reading: BudgetReading): SessionBudget {
  requireAmount(reading.left)
  if (reading.block < budget.reading.block) return budget
  const isOpen = ({ landedIn }: Reservation) => landedIn === undefined || landedIn > reading.block
  const open = Object.entries(budget.reservations).filter(([, reservation]) => isOpen(reservation))
  return { ...budget, reading, reservations: Object.fromEntries(open) }
}

/** Below this share of the signed budget an owner is warned. Origin: DESIGN §5a. */
export const budgetWarningBps = 2_000n

/** The warning's numbers, if one is due: what is left, and how many operations of the usual size that is. */
export function budgetWarning(budget: SessionBudget, usualAmount: bigint) {
  const available = availableOf(budget)
  if (available * 10_000n >= budget.signed * budgetWarningBps) return undefined
  return {
    name: 'sessionKey.budgetWarning',
    remainingBps: budget.signed === 0n ? 0 : Number((available * 10_000n) / budget.signed),
    estimatedOperationsLeft: usualAmount > 0n ? available / usualAmount : 0n,
  } as const
}

function ownReservation({ reservations }: SessionBudget, id: string): Reservation | undefined {
  return Object.hasOwn(reservations, id) ? reservations[id] : undefined
}

function withReservation(budget: SessionBudget, id: string, reservation: Reservation): SessionBudget {
  // By entries: an id such as `__proto__` is a name like any other.
  const entries = Object.entries(budget.reservations).filter(([known]) => known !== id)
  return { ...budget, reservations: Object.fromEntries([...entries, [id, reservation]]) }
}

function without(budget: SessionBudget, id: string): SessionBudget {
  const entries = Object.entries(budget.reservations).filter(([known]) => known !== id)
  return { ...budget, reservations: Object.fromEntries(entries) }
}

function requireAmount(amount: bigint) {
  if (amount < 0n) throw new BardoError('An amount is never negative.', { code: 'INVALID_INPUT' })
}
