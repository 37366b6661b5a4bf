import { refuse } from '../verdict/refuse.ts'

/** Refuses spending above the lifetime allowance. */
export function requireAllowance(spent: bigint, cents: bigint, allowed: bigint): void {
  if (cents > allowed || spent > allowed - cents) refuse('AllowanceExceeded', spent, cents, allowed)
}
