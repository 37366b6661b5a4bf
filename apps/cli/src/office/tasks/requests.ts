import { readOwnerAsk } from '@bardo/golem'
import type { OwnerRequest } from '@bardo/store'
import { formatEther, zeroAddress } from 'viem'
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

/** The oldest of them. Origin: ours; nobody reads more at once. */
const mostShown = 1_000

/** What waits for owners. */
export const requests = defineTask({
  input: z.strictObject({ golem: golemField.optional() }),
  async run(place, { golem: named }) {
    const { store } = place
    const waiting =
      named === undefined
        ? await store.ownerRequests.allPending(mostShown)
        : await store.ownerRequests.pending((await findGolem(place, named)).id)
    return Promise.all(
      waiting.map(async (request) => ({
        id: request.id,
        golem: request.golem,
        name: printable((await store.golems.find(request.golem))?.name ?? request.golem),
        kind: request.kind,
        sentence: printable(sentenceOf(request)),
        filedAt: request.filedAt,
        expiresAt: request.expiresAt ?? null,
      })),
    )
  },
})

/** By what would be sent, where that can be said: a sentence in a row of the database is whoever's wrote it. */
function sentenceOf(request: OwnerRequest): string {
  const known = sentences[request.kind]
  if (known) return known
  const ask = readOwnerAsk(request)
  return ask.is === 'fund' && ask.token === zeroAddress
    ? `Send ${formatEther(ask.amount)} ETH to ${ask.to}, for gas.`
    : ask.sentence
}
