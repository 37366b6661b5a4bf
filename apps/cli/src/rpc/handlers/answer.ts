import { BardoError } from '@bardo/core'
import { answerRequest, type OwnerAnswer } from '@bardo/golem'
import { z } from 'zod'
import { ownerWallet, requireOwner } from '../../context/ownerWallet.ts'
import { ownerResponderFor } from '../ownerResponderFor.ts'
import { scheduleTickNow } from '../scheduleTickNow.ts'
import { defineTask } from '../task.ts'
import { lessField, ownerKeyField } from './fields.ts'

/** Answers a request as the owner. */
export const answer = defineTask({
  input: z.strictObject({
    request: z.string().min(1).max(500),
    says: z.enum(['yes', 'no']),
    less: lessField,
    override: z.boolean().optional(),
    ownerKey: ownerKeyField,
  }),
  async run(context, { request: id, says, less, override, ownerKey }, { note }) {
    const { store } = context
    const request = await store.ownerRequests.find(id)
    const golem = request && (await store.golems.find(request.golem))
    if (!request || !golem)
      throw new BardoError('Unknown request.', {
        code: 'INVALID_INPUT',
        remedy: 'List the waiting requests with bardo requests.',
      })
    if (request.state === 'withdrawn')
      throw new BardoError('This request was withdrawn when its Golem began to shut down.', {
        code: 'GOLEM_DYING',
        details: [golem.id],
        remedy: 'There is nothing to answer: a dying Golem gets no signature and no money.',
        docsPath: 'requests.md#kinds',
      })
    if (request.state !== 'pending')
      throw new BardoError('This request was already answered.', {
        code: 'INVALID_INPUT',
        details: [request.state],
      })
    const owner = ownerWallet(context.chain, store, ownerKey)
    requireOwner(owner, golem.owner)
    note(says === 'yes' ? 'Signing as the owner' : 'Refusing the request')
    const given: OwnerAnswer | undefined =
      says === 'no'
        ? { type: 'refused' }
        : await (await ownerResponderFor(context, owner, override)).answer(request, less)
    if (!given)
      throw new BardoError('This runway needs explicit confirmation.', {
        code: 'ACTION_NOT_ALLOWED',
        details: ['it is for more than 90 days, or more than 100 USDC per day'],
        remedy: 'Approve it with --override, or approve less with --amount and --days.',
        docsPath: 'requests.md#runway',
      })
    const isTaken = await answerRequest(
      { ...context.chain, store, clock: context.clock },
      id,
      owner.key.address,
      given,
    )
    if (isTaken) await scheduleTickNow(context, golem.id)
    return { request: id, golem: golem.id, name: golem.name, kind: request.kind, says, isTaken }
  },
})
