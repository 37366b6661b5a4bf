import { type Address, encodeAbiParameters, type Hex, keccak256 } from 'viem'
import type { Coverage, Read } from '../caveatKind.ts'
import { add, demand, subtract } from './bytes.ts'
import { answered, type Hook, type Written } from './metamaskKind.ts'
import { view } from './views.ts'
import { coveredIf, wider } from './words.ts'

/** How a balance may change: decrease by at most, or increase by at least, an amount. */
export type Change = { readonly change: 'decrease' | 'increase'; readonly amount: bigint }

const isLocked = view('isLocked(bytes32)')

/** The row's key: the hash of words in `abi.encode` layout. */
export function hashKey(...words: readonly Hex[]): Hex {
  return keccak256(
    encodeAbiParameters(
      words.map(() => ({ type: 'bytes32' as const })),
      words.map((value): Hex => `0x${value.slice(2).padStart(64, '0')}`),
    ),
  )
}

/** Whether an execution with this key is in progress. */
export function lockRead(enforcer: Address, key: Hex): Read {
  return isLocked(enforcer, key)
}

/** The first hook: takes the lock and reads the balance. */
export function rememberBalance(name: string, hook: Hook, key: Hex, balance: Read): Written {
  const lock = lockRead(hook.enforcer, key)
  demand(
    answered(hook.read(lock)) === 0n,
    `${name}:enforcer-is-locked`,
    'Do not nest executions: one with this caveat is still in progress.',
  )
  answered(hook.read(balance))
  return { read: lock, words: [1n] }
}

/** The last hook: compares with the recorded balance. */
export function demandBalance(name: string, hook: Hook, balance: Read, { change, amount }: Change): void {
  const now = answered(hook.read(balance))
  const then = answered(hook.remembered(balance))
  if (change === 'decrease') {
    // An allowed loss above the whole balance underflows and refuses everything.
    const least = subtract(
      then,
      amount,
      `The account must hold at least ${amount} before the execution; it holds ${then}.`,
    )
    demand(
      now >= least,
      `${name}:exceeded-balance-decrease`,
      `The balance may fall by at most ${amount}; it went from ${then} to ${now}.`,
    )
    return
  }
  demand(
    now >= add(then, amount),
    `${name}:insufficient-balance-increase`,
    `The balance must rise by at least ${amount}; it went from ${then} to ${now}.`,
  )
}

/** Whether the child's change is within the parent's; both concern the same balance. */
export function coversChange(parent: Change, child: Change): Coverage {
  if (parent.change !== child.change)
    return wider(`the child limits the ${child.change}; the parent limits the ${parent.change}`)
  if (child.change === 'increase') {
    return coveredIf(
      child.amount >= parent.amount,
      `at least ${child.amount}; the parent requires ${parent.amount}`,
    )
  }
  // A smaller loss is not enough: if the balance is below the parent's number, the parent refuses everything.
  return coveredIf(
    child.amount === parent.amount,
    `a loss of ${child.amount}; the parent allows ${parent.amount}, and only the same number always passes both`,
  )
}

/** The kit's number for a direction, and back. */
export const changeTypes = { increase: 0, decrease: 1 } as const

/** The direction of a first byte: the enforcers read every byte except zero as decrease. */
export function changeOf(changeType: number): Change['change'] {
  return changeType === 0 ? 'increase' : 'decrease'
}
