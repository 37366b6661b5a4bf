import { type Address, encodeAbiParameters, type Hex, keccak256 } from 'viem'
import type { Coverage, Read } from '../caveatKind.ts'
import { add, demand, subtract } from './bytes.ts'
import { answered, type Hook, type Written } from './stockKind.ts'
import { view } from './views.ts'
import { coveredIf, wider } from './words.ts'

/** How a balance may or must change: lose at most, or gain at least. */
export type Change = { readonly change: 'decrease' | 'increase'; readonly amount: bigint }

const isLocked = view('isLocked(bytes32)')

/** The row’s key: the hash of words, as `abi.encode` lays them out. */
export function hashKey(...words: readonly Hex[]): Hex {
  return keccak256(
    encodeAbiParameters(
      words.map(() => ({ type: 'bytes32' as const })),
      words.map((value): Hex => `0x${value.slice(2).padStart(64, '0')}`),
    ),
  )
}

/** Whether an execution under this key is under way. */
export function lockRead(enforcer: Address, key: Hex): Read {
  return isLocked(enforcer, key)
}

/** The first hook: takes the lock and looks at the balance. */
export function rememberBalance(name: string, hook: Hook, key: Hex, balance: Read): Written {
  const lock = lockRead(hook.enforcer, key)
  demand(
    answered(hook.read(lock)) === 0n,
    `${name}:enforcer-is-locked`,
    'Let the execution that is under way finish; do not nest it.',
  )
  answered(hook.read(balance))
  return { read: lock, words: [1n] }
}

/** The last hook: compares with what was remembered. */
export function demandBalance(name: string, hook: Hook, balance: Read, { change, amount }: Change): void {
  const now = answered(hook.read(balance))
  const then = answered(hook.remembered(balance))
  if (change === 'decrease') {
    // An allowed loss above the whole balance underflows, and refuses everything.
    const least = subtract(then, amount, `Hold at least ${amount} before; the balance is ${then}.`)
    demand(
      now >= least,
      `${name}:exceeded-balance-decrease`,
      `Take at most ${amount}: ${then} became ${now}.`,
    )
    return
  }
  demand(
    now >= add(then, amount),
    `${name}:insufficient-balance-increase`,
    `Bring in at least ${amount}: ${then} became ${now}.`,
  )
}

/** Whether the child’s change is inside the parent’s; both are about the same balance. */
export function coversChange(parent: Change, child: Change): Coverage {
  if (parent.change !== child.change)
    return wider(`it bounds the ${child.change}, the parent the ${parent.change}`)
  if (child.change === 'increase') {
    return coveredIf(child.amount >= parent.amount, `at least ${child.amount}, the parent ${parent.amount}`)
  }
  // A smaller loss is not enough: where the balance is below the parent's number, the parent refuses everything.
  return coveredIf(
    child.amount === parent.amount,
    `a loss of ${child.amount}, the parent ${parent.amount}; only the same number is sure to pass both`,
  )
}

/** The kit’s number for a direction, and back. */
export const changeTypes = { increase: 0, decrease: 1 } as const

/** The direction that a first byte stands for: the enforcers take every byte but zero as decrease. */
export function changeOf(changeType: number): Change['change'] {
  return changeType === 0 ? 'increase' : 'decrease'
}
