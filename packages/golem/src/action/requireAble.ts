import { BardoError } from '@bardo/core'
import { requireAwake } from '../dreams/dream.ts'
import { type ObserveReason, observeReasons } from '../observeOnly/observeOnly.ts'
import { type Death, requireNotDying } from '../state/death.ts'
import type { GolemState } from '../state/golemState.ts'

/** Throws if the Golem is dying, dreaming or in observe-only mode. */
export function requireAble(
  { dream, recovery }: Pick<GolemState, 'dream' | 'recovery'>,
  death: Death | undefined,
  outage: ObserveReason | undefined,
): void {
  requireNotDying(death)
  requireAwake(dream)
  const reason = outage ?? (recovery.type === 'observing' ? recovery.reason : undefined)
  if (reason === undefined) return
  throw new BardoError('The Golem is in observe-only mode.', {
    code: 'STEP_OUT_OF_ORDER',
    details: [observeReasons[reason]],
    remedy: 'Wait until it acts again: its next ticks retry automatically.',
    docsPath: 'golem.md#recovery',
    retryable: true,
  })
}
