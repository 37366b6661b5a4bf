import { BardoError } from '@bardo/core'
import {
  acceptCoSignatures,
  proposalFile,
  proposalFileSchema,
  readProposal,
  readProposalFile,
  signatureFileSchema,
} from '@bardo/golem'
import { scheduleTickNow } from '@bardo/operations'
import { z } from 'zod'
import { findGolem } from '../findGolem.ts'
import { defineTask } from '../task.ts'
import { golemField } from './fields.ts'

/** Prints a proposal for a co-signer elsewhere. */
export const printProposal = defineTask({
  input: z.strictObject({ request: z.string().min(1).max(500) }),
  async run({ store, chain }, { request: id }) {
    const request = await store.ownerRequests.find(id)
    const proposal = request && readProposal(request)
    if (!proposal)
      throw new BardoError('This is not a proposal that waits for co-signatures.', {
        code: 'INVALID_INPUT',
        details: [request ? request.kind : 'unknown request'],
        remedy: 'List the waiting requests with bardo requests.',
        docsPath: 'council.md',
      })
    return proposalFile(chain.deployment, id, proposal)
  },
})

/** Takes co-signatures that were made elsewhere. */
export const takeCoSignatures = defineTask({
  input: z.strictObject({ request: z.string().min(1).max(500), file: signatureFileSchema }),
  async run(context, { request: id, file }) {
    const { store, chain } = context
    if (file.request !== id)
      throw new BardoError('The signatures are for another proposal.', {
        code: 'INVALID_INPUT',
        details: [`file: ${file.request}`, `request: ${id}`],
        docsPath: 'council.md',
      })
    const { deployment } = chain
    const progress = await acceptCoSignatures({ store, deployment }, id, file.signatures)
    const request = await store.ownerRequests.find(id)
    if (request && progress.valid >= progress.threshold) await scheduleTickNow(store, request.golem)
    return { request: id, ...progress }
  },
})

/** Co-signs a printed proposal as a Golem of this data folder, after its own evaluation. */
export const coSign = defineTask({
  input: z.strictObject({ golem: golemField, file: proposalFileSchema }),
  async run(context, { golem: named, file }) {
    const { id, name } = await findGolem(context, named)
    const golem = await context.open(id)
    const answer = await golem.coSign(readProposalFile(context.chain.deployment, file))
    if (answer.type === 'refused')
      throw new BardoError(`${name} does not co-sign this proposal.`, {
        code: 'ACTION_NOT_ALLOWED',
        details: [answer.because],
        docsPath: 'council.md',
      })
    const { key, signature } = answer
    return {
      name,
      file: {
        type: 'bardo.coSignatures' as const,
        request: file.request,
        signatures: [{ key, signature }],
      },
    }
  },
})
