import type { RulesVersion } from '../caveatKind.ts'
import { refuse } from '../verdict/refuse.ts'

/** Action classes, in the order of their bits. */
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
  'gas',
] as const

export type ActionClass = (typeof classNames)[number]

/** The bit of each class. */
export const classBits = Object.fromEntries(classNames.map((name, bit) => [name, 1 << bit])) as Readonly<
  Record<ActionClass, number>
>

const allClasses = 2 ** classNames.length - 1
/** Version 1 has no gas draws. */
const classesOfVersion1 = allClasses & ~classBits.gas

/** The bits that are defined. */
export function knownClasses(rules: RulesVersion | undefined): number {
  return rules === 1 ? classesOfVersion1 : allClasses
}

export const approvalClasses = classBits.approve | classBits.disapprove
export const swapClasses = classBits.swap | classBits.unwind

/** Closing a position to the owner's account. */
export const settlementClasses = classBits.removeLiquidity | classBits.withdraw | classBits.disapprove

const conservationClasses =
  settlementClasses |
  classBits.unwind |
  classBits.payment |
  classBits.gas |
  classBits.publish |
  classBits.sale |
  classBits.approve

/** The classes that are allowed in a phase. */
export function classesAllowedIn(phase: number): number {
  if (phase === 0) return allClasses
  if (phase === 1) return allClasses & ~classBits.spawn
  return phase < 4 ? conservationClasses : settlementClasses
}

export function requireAllowedIn(classes: number, phase: number): void {
  if ((classes & ~classesAllowedIn(phase)) !== 0)
    refuse('ClassNotAllowedInPhase', BigInt(classes), BigInt(phase))
}
