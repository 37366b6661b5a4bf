import { type CoSignature, findCoSigned, validCoSignatures } from '@bardo/chain'
import { BardoError, type Deployment } from '@bardo/core'
import type { Store } from '@bardo/store'
import { coSigningOf, readProposal } from './proposal.ts'
import { type Progress, proposalProgress } from './proposalProgress.ts'
import { writeAnswer } from './storedAnswers.ts'

/**
 * Stores co-signatures that were made elsewhere. Each must be of a co-signer and over exactly this proposal, otherwise none is
 * stored.
 */
export async function acceptCoSignatures(
  { store, deployment }: { readonly store: Store; readonly deployment: Deployment },
  id: string,
  signatures: readonly CoSignature[],
): Promise<Progress> {
  const request = await store.ownerRequests.find(id)
  const proposal = request && readProposal(request)
  const asked = proposal && coSigningOf(deployment, proposal)
  if (!request || !asked) throw refuse('Unknown proposal.', [id])
  if (request.state !== 'pending') throw refuse('The proposal has ended.', [`it is ${request.state}`])
  const keys = findCoSigned(deployment, [asked.delegation]).flatMap(({ coSigners }) => coSigners.keys)
  for (const { key, signature } of signatures) {
    const [valid] = await validCoSignatures(asked, [{ key, signature }])
    if (valid) continue
    const isMember = keys.some((member) => member.toLowerCase() === key.toLowerCase())
    throw refuse(
      isMember
        ? 'The signature does not match this proposal.'
        : 'This key is not a co-signer of the proposal.',
      [key, `co-signers: ${keys.join(', ')}`],
    )
  }
  await store.transaction(async (transaction) => {
    for (const { key, signature } of signatures)
      await writeAnswer(transaction, request.golem, id, { type: 'signed', key, signature })
  })
  return (await proposalProgress({ store, deployment }, request)) ?? { threshold: 0, members: [], valid: 0 }
}

function refuse(message: string, details: readonly string[]): BardoError {
  return new BardoError(message, {
    code: 'INVALID_INPUT',
    details,
    remedy: 'Print the proposal again: bardo requests ID cosign --print',
    docsPath: 'council.md',
  })
}
