import { type Phase, phaseNumber } from '@bardo/core'
import type { Senses } from '../snapshot/tickPorts.ts'
import type { GolemState } from '../state/golemState.ts'

/**
 * The phase that the owner reset the Golem to since its last tick. An earlier phase on the chain does not
 * prove a reset: a publication may be missing, or a reorganisation may have removed it. The count of the
 * owner's signatures proves it.
 */
export function ownerReset(
  { phase, ownerSignatures }: Pick<GolemState, 'phase' | 'ownerSignatures'>,
  senses: Pick<Senses, 'shown' | 'ownerSignatures'>,
): Phase | undefined {
  const { shown } = senses
  const isEarlier = phaseNumber(shown.phase) < phaseNumber(phase)
  return senses.ownerSignatures > ownerSignatures && isEarlier ? shown.phase : undefined
}
