import { describeRequest } from '@bardo/golem'
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
    const { book, deployment } = cliContext.chain
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
          filedAt: request.filedAt,
          expiresAt: request.expiresAt ?? null,
        }
      }),
    )
  },
})
