import { BardoError } from '@bardo/core'
import { answerRequest, type OwnerAnswer } from '@bardo/golem'
import { z } from 'zod'
import { ownerWallet, requireOwner } from '../../place/ownerWallet.ts'
import { ownerSeat } from '../ownerSeat.ts'
import { defineTask } from '../task.ts'
import { tickNow } from '../tickNow.ts'
import { ownerKeyField } from './fields.ts'

/** The owner's word to a request. */
export const answer = defineTask({
  input: z.strictObject({
    request: z.string().min(1).max(500),
    says: z.enum(['yes', 'no']),
    less: z
      .strictObject({ amount: z.string().max(50), days: z.int().min(1).max(3_650) })
      .partial()
      .optional(),
    override: z.boolean().optional(),
    ownerKey: ownerKeyField,
  }),
  async run(place, { request: id, says, less, override, ownerKey }, { note }) {
    const { store } = place
    const request = await store.ownerRequests.find(id)
    const golem = request && (await store.golems.find(request.golem))
    if (!request || !golem)
      throw new BardoError('There is no such request.', {
        code: 'INVALID_INPUT',
        remedy: 'bardo requests lists what waits.',
      })
    if (request.state !== 'pending')
      throw new BardoError('That request has an answer already.', {
        code: 'INVALID_INPUT',
        details: [request.state],
      })
    // Its key is wiped: what is signed for it is of no use, and what is sent to it is gone.
    if (says === 'yes' && golem.status === 'dead' && request.kind !== 'revoke')
      throw new BardoError('The Golem that asked for this is dead.', {
        code: 'ACTION_NOT_ALLOWED',
        details: [golem.id],
        remedy: 'Say no, or let it run out.',
        docsPath: 'requests.md#kinds',
      })
    const owner = ownerWallet(place.chain, store, ownerKey)
    requireOwner(owner, golem.owner)
    note(says === 'yes' ? 'Signing as the owner' : 'Saying no')
    const word: OwnerAnswer | undefined =
      says === 'no'
        ? { is: 'refused' }
        : await (await ownerSeat(place, owner, override)).answer(request, less)
    if (!word)
      throw new BardoError('So much needs your express word.', {
        code: 'ACTION_NOT_ALLOWED',
        details: ['a runway of over 90 days, or over 100 USDC a day'],
        remedy: 'Say yes with --override, or to less with --amount and --days.',
        docsPath: 'requests.md#runway',
      })
    const isTaken = await answerRequest(
      { ...place.chain, store, clock: place.clock },
      id,
      owner.key.address,
      word,
    )
    if (isTaken) await tickNow(place, golem.id)
    return { request: id, golem: golem.id, name: golem.name, kind: request.kind, says, isTaken }
  },
})
