import { BardoError } from '../errors/BardoError.ts'

/** The budget that one operation holds until the chain's count includes it. */
export type Reservation = {
  readonly amount: bigint
  /** The block it landed in; undefined while it is pending. */
  readonly landedIn: bigint | undefined
}

/** A chain reading: what is left of the signed budget after a block. */
export type BudgetReading = { readonly left: bigint; readonly block: bigint }

/**
 * A key's budget in one process: the last chain reading, less what that reading does not include yet. Plain
 * data; all functions return a new value.
 */
export type SessionBudget = {
  readonly signed: bigint
  readonly reading: BudgetReading
  readonly reservations: Readonly<Record<string, Reservation>>
  /** The total number of reserved operations, for the rotation policy. */
  readonly operations: number
}

/**
 * A budget without reservations.
 *
 * @example
 * availableOf(openBudget(100n, { left: 80n, block: 1n })) // 80n
 */
export function openBudget(signed: bigint, reading: BudgetReading): SessionBudget {
  requireAmount(signed)
  requireAmount(reading.left)
  return { signed, reading, reservations: {}, operations: 0 }
}

/**
 * What another operation may take: never more than the chain reading.
 *
 * @example
 * availableOf(reserve(openBudget(100n, { left: 80n, block: 1n }), 'swap-1', 30n)) // 50n
 */
export function availableOf({ reading, reservations }: SessionBudget): bigint {
  const reserved = Object.values(reservations).reduce((sum, { amount }) => sum + amount, 0n)
  return reserved >= reading.left ? 0n : reading.left - reserved
}

/**
 * Reserves an operation's most expensive outcome before it is signed. The id is the intent's, so a retry
 * reserves nothing more.
 *
 * @example
 * availableOf(reserve(openBudget(100n, { left: 80n, block: 1n }), 'swap-1', 30n)) // 50n
 */
export function reserve(budget: SessionBudget, id: string, amount: bigint): SessionBudget {
  requireAmount(amount)
  const reservation = ownReservation(budget, id)
  if (reservation) {
    if (reservation.amount === amount && reservation.landedIn === undefined) return budget
    throw new BardoError('The operation is already reserved with another amount.', {
      code: 'INVALID_INPUT',
      details: [id, `${reservation.amount} before, ${amount} now`],
    })
  }
  const available = availableOf(budget)
  if (amount > available)
    throw new BardoError('The session budget is too low for this operation.', {
      code: 'SPEND_LIMIT_EXCEEDED',
      details: [`requested: ${amount}`, `available: ${available}`, `left on chain: ${budget.reading.left}`],
      remedy: 'Request less, or wait until pending operations settle or the budget window moves.',
    })
  return {
    ...withReservation(budget, id, { amount, landedIn: undefined }),
    operations: budget.operations + 1,
  }
}

/**
 * The operation will never land: its reservation is released.
 *
 * @example
 * const reserved = reserve(openBudget(100n, { left: 80n, block: 1n }), 'swap-1', 30n)
 * availableOf(release(reserved, 'swap-1')) // 80n
 */
export function release(budget: SessionBudget, id: string): SessionBudget {
  return ownReservation(budget, id)?.landedIn === undefined ? without(budget, id) : budget
}

/**
 * The operation landed and spent `spent`. That amount stays reserved until a chain reading includes its
 * block: released earlier, it could be spent twice; later, it would count twice.
 *
 * @example
 * const landed = land(reserve(openBudget(100n, { left: 80n, block: 1n }), 'swap-1', 30n), 'swap-1', 25n, 7n)
 * availableOf(landed) // 55n
 */
export function land(budget: SessionBudget, id: string, spent: bigint, block: bigint): SessionBudget {
  requireAmount(spent)
  if (!ownReservation(budget, id)) return budget
  if (block <= budget.reading.block) return without(budget, id)
  return withReservation(budget, id, { amount: spent, landedIn: block })
}

/**
 * Applies a chain reading. An older reading changes nothing: answers may arrive out of order.
 *
 * @example
 * reconcile(openBudget(100n, { left: 80n, block: 1n }), { left: 55n, block: 7n }).reading.left // 55n
 */
export function reconcile(budget: SessionBudget, reading: BudgetReading): SessionBudget {
  requireAmount(reading.left)
  if (reading.block < budget.reading.block) return budget
  const isOpen = ({ landedIn }: Reservation) => landedIn === undefined || landedIn > reading.block
  const open = Object.entries(budget.reservations).filter(([, reservation]) => isOpen(reservation))
  return { ...budget, reading, reservations: Object.fromEntries(open) }
}

/** Below this share of the signed budget the owner is warned. */
export const budgetWarningBps = 2_000n

/**
 * The warning, if one is due: what is left, and how many operations of the usual size that allows.
 *
 * @example
 * budgetWarning(openBudget(100n, { left: 5n, block: 1n }), 2n)
 */
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
  // Use entries: an id such as `__proto__` must be an ordinary key.
  const entries = Object.entries(budget.reservations).filter(([key]) => key !== id)
  return { ...budget, reservations: Object.fromEntries([...entries, [id, reservation]]) }
}

function without(budget: SessionBudget, id: string): SessionBudget {
  const entries = Object.entries(budget.reservations).filter(([key]) => key !== id)
  return { ...budget, reservations: Object.fromEntries(entries) }
}

function requireAmount(amount: bigint) {
  if (amount < 0n) throw new BardoError('An amount must not be negative.', { code: 'INVALID_INPUT' })
}
