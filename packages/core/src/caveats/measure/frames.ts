import { concat, type Hex, keccak256, pad } from 'viem'
import type { Frame, HookContext } from '../caveatKind.ts'
import { addressWord, digitsOf, plainAddress } from '../execution/digits.ts'
import type { Mandate } from '../terms/mandate.ts'
import { Missing, refuse } from '../verdict/refuse.ts'
import type { Unlooked } from './reads.ts'

/** The row key of a lineage, as Lineage.sol of the enforcer's version computes it. */
export function lineageKey(
  { manager, delegator, rules }: Pick<Unlooked, 'manager' | 'delegator' | 'rules'>,
  lineage: Hex,
): Hex {
  const key: Hex = `0x${addressWord(delegator)}${digitsOf(lineage)}`
  return keccak256(rules === 1 ? concat([pad(manager), key]) : key)
}

/** The frame in which an execution on an account is measured, as MeteredEnforcer.sol opens it. */
export function frameOf(context: Unlooked, { account }: Mandate, lineage: Hex): Frame {
  return {
    enforcer: plainAddress(context.enforcer),
    book: `${plainAddress(context.manager)}${digitsOf(account)}`,
    key: lineageKey(context, lineage),
  }
}

/**
 * Refuses conflicting frames. Caveats of one chain nest; a key with code could be inside another execution,
 * and a lineage that is measured twice would count twice.
 */
export function requireRoom(context: HookContext, mandate: Mandate, lineage: Hex): void {
  // The usual case; the check below costs a hash.
  if (!context.frames || context.frames.length === 0) return
  const { enforcer, book, key } = frameOf(context, mandate, lineage)
  const pile = framesIn(context, enforcer, book)
  if (pile.length === 0) return
  if (context.sender === undefined) throw new Missing('sender')
  if (context.sender === 'upgraded key') refuse('AccountBusy', mandate.account)
  // A frame stores the last 32 bits of its key.
  if (pile.some((frame) => frame.key.slice(-8) === key.slice(-8))) refuse('LineageBusy', key)
}

/** The open frames of an enforcer. */
export function framesIn({ frames = [] }: HookContext, enforcer: Hex, book: Hex): readonly Frame[] {
  return frames.filter((frame) => frame.enforcer === enforcer && frame.book === book)
}
