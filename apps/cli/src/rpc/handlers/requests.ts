import { describeRequest, proposalProgress, withMembers } from '@bardo/golem'
import { zeroAddress } from 'viem'
import { z } from 'zod'
import { printable } from '../../terminal/printable.ts'
import { findGolem } from '../findGolem.ts'
import { defineTask } from '../task.ts'
import { golemField } from './fields.ts'

/** The most requests in one list, oldest first. */
const mostShown = 1_000

/** The requests that wait for owners. */
export const requests = defineTask({
  input: z.strictObject({ golem: golemField.optional() }),
  async run(cliContext, { golem: named }) {
    const { store } = cliContext
    const waiting =
      named === undefined
        ? await store.ownerRequests.allPending(mostShown)
        : await store.ownerRequests.pending((await findGolem(cliContext, named)).id)
    const { deployment } = cliContext.chain
    const book = await withMembers(store, cliContext.chain.book)
    const nameOf = (key: string) =>
      [...(book.members ?? [])].find(([, member]) => member.toLowerCase() === key.toLowerCase())?.[0] ?? key
    return Promise.all(
      waiting.map(async (request) => {
        const golem = await store.golems.find(request.golem)
        const context = { book, deployment, owner: golem?.owner ?? zeroAddress }
        return {
          id: request.id,
          golem: request.golem,
          name: printable(golem?.name ?? request.golem),
          kind: printable(request.kind),
          sentence: printable(describeRequest(request, context)),
          /** Who has signed, of those whose signatures a proposal needs; null for another request. */
          coSigning: await coSigningOf(request),
          filedAt: request.filedAt,
          expiresAt: request.expiresAt ?? null,
        }
      }),
    )

    async function coSigningOf(request: (typeof waiting)[number]) {
      const progress = await proposalProgress({ store, deployment }, request)
      if (!progress) return null
      const { threshold, valid, members } = progress
      const named = members.map(({ key, state, because }) => ({
        key,
        name: printable(nameOf(key)),
        state,
        because: printable(because),
      }))
      return { threshold, valid, members: named }
    }
  },
})
