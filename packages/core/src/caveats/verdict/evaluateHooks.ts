import type { Address } from 'viem'
import type { ChainState, HookContext, Verdict } from '../caveatKind.ts'
import { plainAddress } from '../execution/digits.ts'
import { dependencyOf } from './dependencies.ts'
import { questions } from './questions.ts'
import { Missing, Refused, refuse } from './refuse.ts'
import { remedyFor } from './remedies.ts'
import { askOwnAddress } from './staticRead.ts'

/** The state that an `afterHook` reads: the chain after the execution, before the hook writes anything. */
type AfterHook = (chain: ChainState) => void

/**
 * Runs the hooks of one caveat as the contract would, and returns the verdict.
 *
 * @param beforeHook - returns the matching `afterHook`, or nothing if there is none
 */
export function evaluateHooks(
  context: HookContext,
  // biome-ignore lint/suspicious/noConfusingVoidType: most hooks return nothing and need no return statement.
  beforeHook: (chain: ChainState) => AfterHook | void,
): Verdict {
  let hook: 'beforeHook' | 'afterHook' = 'beforeHook'
  try {
    const afterHook = beforeHook(context.before)
    if (!afterHook) return { type: 'pass' }
    if (!context.after) return { type: 'unknown', missing: 'after' }
    hook = 'afterHook'
    afterHook(context.after)
    return { type: 'pass' }
  } catch (reason) {
    if (reason instanceof Missing) return { type: 'unknown', missing: reason.what }
    if (!(reason instanceof Refused)) throw reason
    return { type: 'refuse', hook, refusal: reason.refusal, remedy: remedyFor(reason.refusal) }
  }
}

/**
 * The same for an enforcer that only the canonical DelegationManager may call. Inside a LogicalOrWrapper the
 * wrapper is the caller, and would have its own budget and lock. Enforcers of version 1 accept any caller.
 *
 * @param managerOf - reads the enforcer's manager. Default: the read of enforcers with a mandate.
 */
export function evaluateManagedHooks(
  context: HookContext,
  beforeHook: Parameters<typeof evaluateHooks>[1],
  managerOf = mandateManager,
): Verdict {
  return evaluateHooks(context, (chain) => {
    const { rules, manager } = context
    if (rules !== 1 && managerOf(context, chain) !== plainAddress(manager))
      refuse('NotDelegationManager', manager)
    return beforeHook(chain)
  })
}

function mandateManager(context: HookContext, chain: ChainState): Address {
  return dependencyOf(context, chain, 'delegationManager')
}

/** The manager of an enforcer without a mandate, which has its own read for it. */
export function ownManager({ enforcer }: HookContext, chain: ChainState): Address {
  return askOwnAddress(chain, questions.delegationManager(plainAddress(enforcer)))
}
