import { refuse } from '../verdict/refuse.ts'

/** Kinds of action, in the order of their bits. */
export const classNames = [
  'swap',
  'unwind',
  'addLiquidity',
  'deposit',
  'removeLiquidity',
  'withdraw',
  'payment',
  'spawn',
  'publish',
  'sale',
  'approve',
  'disapprove',
] as const

export type ActionClass = (typeof classNames)[number]

/** The bit of each class. */
export const classBits = Object.fromEntries(classNames.map((name, bit) => [name, 1 << bit])) as Readonly<
  Record<ActionClass, number>
>

export const allClasses = 2 ** classNames.length - 1
export const approvalClasses = classBits.approve | classBits.disapprove
export const swapClasses = classBits.swap | classBits.unwind

/** Closing a position to the owner's account. */
export const settlementClasses = classBits.removeLiquidity | classBits.withdraw | classBits.disapprove

const conservationClasses =
  settlementClasses |
  classBits.unwind |
  classBits.payment |
  classBits.publish |
  classBits.sale |
  classBits.approve

/** The classes that may run in a phase. */
export function classesAllowedIn(phase: number): number {
  if (phase === 0) return allClasses
  if (phase === 1) return allClasses & ~classBits.spawn
  return phase < 4 ? conservationClasses : settlementClasses
}

export function requireAllowedIn(classes: number, phase: number): void {
  if ((classes & ~classesAllowedIn(phase)) !== 0)
    refuse('ClassNotAllowedInPhase', BigInt(classes), BigInt(phase))
}
