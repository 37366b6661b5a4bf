import type { ChainState, HookContext, Verdict } from '../caveatKind.ts'
import { Missing, Refused } from './refuse.ts'
import { remedyFor } from './remedies.ts'

/** What an `afterHook` looks at: the chain when the execution is over and the hook has not yet written anything. */
type AfterHook = (chain: ChainState) => void

/**
 * Runs the hooks of one caveat as the contract would, and says what came of it.
 *
 * @param beforeHook - gives back the `afterHook` that belongs to what it saw, or nothing where there is none
 */
export function judge(
  context: HookContext,
  // biome-ignore lint/suspicious/noConfusingVoidType: most hooks give nothing back, and should not have to say so.
  beforeHook: (chain: ChainState) => AfterHook | void,
): Verdict {
  let hook: 'beforeHook' | 'afterHook' = 'beforeHook'
  try {
    const afterHook = beforeHook(context.before)
    if (!afterHook) return { is: 'pass' }
    if (!context.after) return { is: 'unknown', missing: 'after' }
    hook = 'afterHook'
    afterHook(context.after)
    return { is: 'pass' }
  } catch (reason) {
    if (reason instanceof Missing) return { is: 'unknown', missing: reason.what }
    if (!(reason instanceof Refused)) throw reason
    return { is: 'refuse', hook, refusal: reason.refusal, remedy: remedyFor(reason.refusal) }
  }
}
