import { withMembers } from '@bardo/golem'
import { readLegacy } from '@bardo/golem/death'
import { callTool, getStatus } from '@bardo/tools'
import type { Hash } from 'viem'
import { z } from 'zod'
import type { Context } from '../../context/openContext.ts'
import { findGolem } from '../findGolem.ts'
import { defineTask } from '../task.ts'
import { isoTime, waitingFor } from '../waitingFor.ts'
import { golemField } from './fields.ts'

/** The state of a Golem. */
export const status = defineTask({
  input: z.strictObject({ golem: golemField.optional() }),
  async run(context, { golem: named }) {
    const { id, nextTick } = await findGolem(context, named)
    const [seen, waits] = await Promise.all([
      callTool(context.toolsFor(id), getStatus, { golem: id }),
      waitingFor(context, await context.open(id), context.clock.now()),
    ])
    const { endsAt, beganAt } = seen
    const coSigners = await coSignersOf(context, id)
    const legacy = await readLegacy(context.store, id)
    return {
      ...seen,
      /** Who signs each of its actions; null if no one has to. */
      coSigners,
      /** The settlement and the testament of a death; null before. */
      legacy: legacy ?? null,
      /** What it waits for before it acts again. */
      waits,
      /** Milliseconds since 1970, unlike `endsAt` and `beganAt`, which are Unix seconds; `times` has all of them in one form. */
      nextTick: nextTick ?? null,
      /** ISO times. */
      times: {
        nextTick: nextTick === undefined ? null : isoTime(nextTick),
        began: isoTime(beganAt * 1_000),
        ends: isoTime(endsAt * 1_000),
      },
    }
  },
})

/** The co-signers that the owner signed, with the Golem whose active key each is. */
async function coSignersOf(context: Context, id: Hash) {
  const { permission } = await (await context.open(id)).status()
  const { coSigners } = permission.terms
  if (!coSigners) return null
  const { members = new Map() } = await withMembers(context.store, context.chain.book)
  const nameOf = (key: string) =>
    [...members].find(([, member]) => member.toLowerCase() === key.toLowerCase())?.[0] ?? null
  return {
    threshold: coSigners.threshold,
    members: coSigners.keys.map((key) => ({ key, name: nameOf(key) })),
  }
}
