import { findCoSigned, validCoSignatures } from '@bardo/chain'
import type { Deployment } from '@bardo/core'
import type { OwnerRequest, Store } from '@bardo/store'
import { type Address, isAddressEqual } from 'viem'
import { cleanText } from '../events/cleanText.ts'
import { coSigningOf, readProposal } from './proposal.ts'
import { readAnswers } from './storedAnswers.ts'

/** How far a proposal is. */
export type Progress = {
  readonly threshold: number
  /** Valid signatures so far. */
  readonly valid: number
  readonly members: readonly {
    readonly key: Address
    readonly state: 'open' | 'signed' | 'refused'
    /** Why it refused, in its own words; empty otherwise. */
    readonly because: string
  }[]
}

/** The progress of a stored proposal: only valid signatures count. Undefined for another or an unreadable row. */
export async function proposalProgress(
  { store, deployment }: { readonly store: Pick<Store, 'grimoire'>; readonly deployment: Deployment },
  request: Pick<OwnerRequest, 'id' | 'golem' | 'kind' | 'body'>,
): Promise<Progress | undefined> {
  const proposal = readProposal(request)
  const asked = proposal && coSigningOf(deployment, proposal)
  const [link] = asked ? findCoSigned(deployment, [asked.delegation]) : []
  if (!asked || !link) return undefined
  const answers = await readAnswers(store, request.golem, request.id)
  const signatures = answers.flatMap((answer) => (answer.type === 'signed' ? [answer] : []))
  const valid = await validCoSignatures(asked, signatures)
  const { threshold, keys } = link.coSigners
  return {
    threshold,
    valid: valid.length,
    members: keys.map((key, place) => {
      const refusal = answers.find((answer) => answer.type === 'refused' && isAddressEqual(answer.key, key))
      if (valid.some(({ index }) => index === place)) return { key, state: 'signed', because: '' }
      return refusal?.type === 'refused'
        ? { key, state: 'refused', because: cleanText(refusal.because) }
        : { key, state: 'open', because: '' }
    }),
  }
}
