import { BardoError } from '@bardo/core'
import type { Hash } from 'viem'
import type { ToolContext } from '../tools/toolContext.ts'
import { askSeat } from './askSeat.ts'

/**
 * Lets an owner who answers unattended say their word to all that waits for them, of whatever kind and whoever filed it.
 * Returns what was answered. Without such an owner nothing happens.
 *
 * @example
 * for (const { id } of await store.golems.list({ owner })) await answerUnattended(context, id)
 */
export async function answerUnattended(context: ToolContext, golem: Hash): Promise<readonly string[]> {
  const answered: string[] = []
  for (const request of await context.store.ownerRequests.pending(golem)) {
    try {
      if (await askSeat(context, request)) answered.push(request.id)
    } catch (error) {
      // An answer that does not fit leaves its request waiting, and the others unharmed.
      if (!(error instanceof BardoError)) throw error
    }
  }
  return answered
}
