import { refuse } from '../verdict/refuse.ts'

/** Refuses more than was ever allowed. */
export function requireAllowance(spent: bigint, cents: bigint, allowed: bigint): void {
  if (cents > allowed || spent > allowed - cents) refuse('AllowanceExceeded', spent, cents, allowed)
}
