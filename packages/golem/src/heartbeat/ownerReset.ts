import { type Phase, phaseNumber } from '@bardo/core'
import type { GolemState } from './golemState.ts'
import type { Senses } from './tickPorts.ts'

/**
 * The phase that the owner set the Golem back to since its last tick. An earlier phase on the chain alone does not say
 * so: a publication may be missing, or may have gone with a block. The count of the owner's signatures does.
 */
export function ownerReset(
  { phase, ownerSignatures }: Pick<GolemState, 'phase' | 'ownerSignatures'>,
  senses: Pick<Senses, 'shown' | 'ownerSignatures'>,
): Phase | undefined {
  const { shown } = senses
  const isEarlier = phaseNumber(shown.phase) < phaseNumber(phase)
  return senses.ownerSignatures > ownerSignatures && isEarlier ? shown.phase : undefined
}
