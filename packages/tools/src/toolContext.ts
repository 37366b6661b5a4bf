import type { LivingGolem } from '@bardo/golem/heartbeat'
import type { RequestContext } from '@bardo/golem/requests'
import type { Hash } from 'viem'
import type { ToolHooks } from './toolHooks.ts'

/** The context of all tools. */
export type ToolContext = RequestContext & {
  /** The Golem of a call whose input names none. */
  readonly golem: Hash | undefined
  /** Called around every call of a tool. */
  readonly hooks?: ToolHooks
  /** Opens a Golem for an action. */
  open(id: Hash): Promise<LivingGolem>
}
