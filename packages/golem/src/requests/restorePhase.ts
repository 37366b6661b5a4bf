import { decodeVitals, type OwnerSigner, resetPhase } from '@bardo/chain'
import { golemVitals } from '@bardo/contracts'
import { type Phase, phaseNumber, phases } from '@bardo/core'
import type { Store } from '@bardo/store'
import type { Hash } from 'viem'
import { ownRow } from './ownRow.ts'
import { requireLiving } from './requireLiving.ts'

/** The result: the phase before, and the transaction, if one was needed. */
export type RestoredPhase = { readonly from: Phase; readonly transaction: Hash | undefined }

/**
 * The owner moves a Golem back to Thriving: less funding moved its phase forward, and only the owner's signature moves it
 * back. The next tick moves it forward again as far as the funding requires.
 *
 * @param request.deadline - Unix seconds, after which the signature is not accepted
 *
 * @example
 * const { from } = await restorePhase(signer, store, { golem, deadline })
 */
export async function restorePhase(
  signer: OwnerSigner,
  store: Pick<Store, 'golems' | 'sessionKeys'>,
  { golem, deadline }: { readonly golem: Hash; readonly deadline: bigint },
): Promise<RestoredPhase> {
  await requireLiving(store, golem)
  const { firstKey, phase } = await ownRow(signer, store, golem)
  const transaction = await resetPhase(signer, { firstKey, phase: phaseNumber('thriving'), deadline })
  return { from: phases[phase] ?? 'terminal', transaction }
}

/** The phase that a registered Golem has on the chain, if it is later than Thriving: what a reset would move back. */
export async function phaseToRestore(
  { client, deployment }: Pick<OwnerSigner, 'client' | 'deployment'>,
  golem: Hash,
): Promise<Phase | undefined> {
  const word = await client.readContract({
    address: deployment.contracts.golemVitals,
    abi: golemVitals.abi,
    functionName: 'vitalsOf',
    args: [golem],
  })
  const { state, phase } = decodeVitals(word)
  return state === 'alive' && phase > phaseNumber('thriving') ? phases[phase] : undefined
}
