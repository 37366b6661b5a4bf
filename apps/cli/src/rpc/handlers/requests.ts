import { describeRequest, proposalProgress, withMembers } from '@bardo/golem'
import { zeroAddress } from 'viem'
import { z } from 'zod'
import { printable } from '../../terminal/printable.ts'
import { inactionText } from '../../text/inactionText.ts'
import { findGolem } from '../findGolem.ts'
import { defineTask } from '../task.ts'
import { golemField } from './fields.ts'

/** The most requests in one list, oldest first. */
const mostShown = 1_000

/** The id of the request that a number names, also if it was answered; null if no request ever had it. */
export const requestOfNumber = defineTask({
  input: z.strictObject({ number: z.int().min(1) }),
  async run({ store }, { number }) {
    return { id: (await store.ownerRequests.findNumber(number))?.id ?? null }
  },
})

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
    // In the order of their numbers, which never change.
    const inOrder = waiting.toSorted((a, b) => a.number - b.number)
    return Promise.all(
      inOrder.map(async (request) => {
        const golem = await store.golems.find(request.golem)
        const context = { book, deployment, owner: golem?.owner ?? zeroAddress }
        return {
          id: request.id,
          /** Names it too. It never changes, and no other request ever gets it. */
          number: request.number,
          golem: request.golem,
          name: printable(golem?.name ?? request.golem),
          kind: printable(request.kind),
          sentence: printable(describeRequest(request, context)),
          /** Who has signed, of those whose signatures a proposal needs; null for another request. */
          coSigning: await coSigningOf(request),
          filedAt: request.filedAt,
          expiresAt: request.expiresAt ?? null,
          /** Until when it can be answered, and what happens without an answer. */
          ...inactionText({ kind: request.kind, expiresAt: request.expiresAt ?? null }),
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
