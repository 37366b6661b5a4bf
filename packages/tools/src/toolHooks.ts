import { BardoError } from '@bardo/core'
import type { Hash } from 'viem'
import type { CapabilityTier } from './toolDefinition.ts'

/** A call as a hook sees it: parsed, for a Golem that was found, in a stage in which the tool is available. */
export type HookedCall = {
  /** The id of the call in events and intents. */
  readonly id: string
  readonly tool: string
  readonly capability: CapabilityTier
  readonly golem: Hash
  readonly input: unknown
}

/** How a call ended. */
export type HookedOutcome =
  | { readonly type: 'done'; readonly output: unknown }
  | { readonly type: 'failed'; readonly error: unknown }

/**
 * Functions around every call of a tool, for approvals, logs and meters of your own. They can refuse a call;
 * they cannot change its input, its result or what the chain allows. A repeated call that gets its earlier
 * result runs no hook.
 *
 * @example
 * const hooks: ToolHooks = {
 *   before({ tool, capability }) {
 *     if (capability !== 'read' && isWeekend()) throw new Error(`${tool} waits until Monday.`)
 *   },
 *   after: ({ tool }, { type }) => console.error(tool, type),
 * }
 * await callTool({ ...context, hooks }, getStatus, { golem: 'alpha' })
 */
export type ToolHooks = {
  /** Throws to refuse the call. Nothing was sent or recorded at this point. */
  before?(call: HookedCall): void | Promise<void>
  /** Called once the call has ended. A failure here is a process warning: the effect of the call remains. */
  after?(call: HookedCall, outcome: HookedOutcome): void | Promise<void>
}

/** Runs the hook before a call. An error that is not a BardoError becomes one, with its message. */
export async function runBefore(hooks: ToolHooks | undefined, call: HookedCall): Promise<void> {
  try {
    await hooks?.before?.(copyOf(call))
  } catch (error) {
    if (error instanceof BardoError) throw error
    throw new BardoError(`A hook refused ${call.tool}.`, {
      code: 'ACTION_NOT_ALLOWED',
      details: error instanceof Error ? [error.message] : [],
      docsPath: 'tools.md#hooks',
      cause: error,
    })
  }
}

/** Runs the hook after a call. */
export async function runAfter(
  hooks: ToolHooks | undefined,
  call: HookedCall,
  outcome: HookedOutcome,
): Promise<void> {
  try {
    await hooks?.after?.(copyOf(call), outcome.type === 'done' ? copyOf(outcome) : outcome)
  } catch (error) {
    process.emitWarning(`The hook after ${call.tool} failed: ${error instanceof Error ? error.message : ''}`)
  }
}

/** A hook gets a copy: what it does to it does not reach the tool or the caller. */
function copyOf<Value>(value: Value): Value {
  return structuredClone(value)
}
