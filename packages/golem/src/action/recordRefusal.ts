import type { BardoError } from '@bardo/core'
import { sha256, stringToHex } from 'viem'
import { z } from 'zod'
import type { GolemEvent } from '../events/golemEvent.ts'
import { endAction } from './endAction.ts'
import type { Acting } from './previewIntention.ts'
import { saveState } from './saveState.ts'

/** The number of refused previews in a minute that are recorded one by one. Further ones are only counted. */
const mostPerMinute = 6
/** The number of attempts if another process changes the state at the same time. */
const mostTurns = 5
/** The grimoire key of the counter. */
const key = 'refusals.preview'
const counter = z.object({ minute: z.int(), recorded: z.int(), more: z.int() })

/**
 * Records a refused preview like any refusal: an event, a warning in the grimoire, and its effect on the
 * mood. A flood of previews must not flood the record: beyond a few in a minute they are only counted, and
 * the next record contains the count.
 *
 * @param summary - what was refused
 */
export async function recordRefusal(
  { parts, ports, life, now }: Acting,
  summary: string,
  error: BardoError,
): Promise<void> {
  const { id: golem, store } = parts
  const minute = Math.floor(now() / 60)
  const entry = counter.safeParse((await store.grimoire.get(golem, key))?.body)
  const before = entry.success ? entry.data : { minute, recorded: 0, more: 0 }
  const recorded = before.minute === minute ? before.recorded : 0
  const count = (body: z.infer<typeof counter>) => store.grimoire.put({ golem, key, kind: 'counter', body })
  if (recorded >= mostPerMinute) return count({ minute, recorded, more: before.more + 1 })
  await count({ minute, recorded: recorded + 1, more: 0 })
  // The id is derived from the refused action request, so that repeating the request leaves one warning.
  const what = sha256(stringToHex(`${error.code} ${summary}`)).slice(2, 18)
  const counted: readonly GolemEvent[] =
    before.more > 0 ? [{ name: 'action.refusalsCounted', count: before.more, since: before.minute * 60 }] : []
  for (let turn = 1; turn <= mostTurns; turn += 1) {
    const { state, death } = await life()
    if (death) return
    const times = { now: now(), at: now() }
    const { pending } = state
    const refused = { type: 'refused', where: 'runtime', error } as const
    const after = endAction(state, `${golem}:preview:${what}`, refused, times)
    const next = { ...after.state, pending, version: state.version + 1 }
    if (await saveState(ports, undefined, next, [...counted, after.event])) return
  }
}
