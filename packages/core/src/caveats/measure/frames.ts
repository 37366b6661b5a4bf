import { encodeAbiParameters, type Hex, keccak256 } from 'viem'
import type { Frame, HookContext } from '../caveatKind.ts'
import { digitsOf, plainAddress } from '../execution/digits.ts'
import type { Mandate } from '../terms/mandate.ts'
import { Missing, refuse } from '../verdict/refuse.ts'
import type { Unlooked } from './gather.ts'

const words = [{ type: 'address' }, { type: 'address' }, { type: 'bytes32' }] as const

/** The row of a lineage, as Lineage.sol names it. */
export function lineageKey({ manager, delegator }: Unlooked, lineage: Hex): Hex {
  return keccak256(encodeAbiParameters(words, [manager, delegator, lineage]))
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
 * Refuses where other frames lie in the way. Caveats of one chain pile up; a key with code could be in the middle of
 * another execution, and a lineage twice would count twice.
 */
export function requireRoom(context: HookContext, mandate: Mandate, lineage: Hex): void {
  // Nearly always: the rest costs a hash.
  if (!context.frames || context.frames.length === 0) return
  const { enforcer, book, key } = frameOf(context, mandate, lineage)
  const pile = framesIn(context, enforcer, book)
  if (pile.length === 0) return
  if (context.sender === undefined) throw new Missing('sender')
  if (context.sender === 'upgraded key') refuse('AccountBusy', mandate.account)
  // A frame remembers the last 32 bits of its key.
  if (pile.some((frame) => frame.key.slice(-8) === key.slice(-8))) refuse('LineageBusy', key)
}

/** What is open in an enforcer's book. */
export function framesIn({ frames = [] }: HookContext, enforcer: Hex, book: Hex): readonly Frame[] {
  return frames.filter((frame) => frame.enforcer === enforcer && frame.book === book)
}
