import type { LivingGolem } from '@bardo/golem/heartbeat'
import type { RequestContext } from '@bardo/golem/requests'
import type { Hash } from 'viem'

/** The context of all tools. */
export type ToolContext = RequestContext & {
  /** The Golem of a call whose input names none. */
  readonly golem: Hash | undefined
  /** Opens a Golem for an action. */
  open(id: Hash): Promise<LivingGolem>
}
