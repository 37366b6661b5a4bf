import { readOwnerAsk } from '@bardo/golem'
import type { OwnerRequest } from '@bardo/store'
import { z } from 'zod'
import { printable } from '../../shell/printable.ts'
import { findGolem } from '../findGolem.ts'
import { defineTask } from '../task.ts'
import { golemField } from './fields.ts'

/** What a request that has no sentence of its own asks for. */
const sentences: Readonly<Record<string, string>> = {
  revoke: 'Disable its delegations on the chain, for good.',
  grant: 'End the old grant, and sign the same bounds for a new key.',
  redelegate: 'Name its key in its row on the chain again.',
}

/** What waits for owners. */
export const requests = defineTask({
  input: z.strictObject({ golem: golemField.optional() }),
  async run(place, { golem: named }) {
    const { store } = place
    const golems =
      named === undefined ? await store.golems.list({ limit: 1_000 }) : [await findGolem(place, named)]
    const lists = await Promise.all(
      golems.map(async ({ id, name }) =>
        (await store.ownerRequests.pending(id)).map((request) => ({
          id: request.id,
          golem: id,
          name: printable(name),
          kind: request.kind,
          sentence: printable(sentenceOf(request)),
          filedAt: request.filedAt,
          expiresAt: request.expiresAt ?? null,
        })),
      ),
    )
    return lists.flat().sort((a, b) => a.filedAt - b.filedAt)
  },
})

function sentenceOf(request: OwnerRequest): string {
  return sentences[request.kind] ?? readOwnerAsk(request).sentence
}
