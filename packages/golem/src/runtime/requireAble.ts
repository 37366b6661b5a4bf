import { BardoError } from '@bardo/core'
import { type Death, requireNotDying } from '../death/death.ts'
import { requireAwake } from '../dreams/dream.ts'
import type { GolemState } from '../heartbeat/golemState.ts'
import { type ObserveReason, observeReasons } from '../recovery/recovery.ts'

/** Lets nobody act for a Golem that dies, dreams or only looks on. */
export function requireAble(
  { dream, recovery }: Pick<GolemState, 'dream' | 'recovery'>,
  death: Death | undefined,
  outage: ObserveReason | undefined,
): void {
  requireNotDying(death)
  requireAwake(dream)
  const reason = outage ?? (recovery.is === 'observing' ? recovery.reason : undefined)
  if (reason === undefined) return
  throw new BardoError('The Golem only looks on.', {
    code: 'STEP_OUT_OF_ORDER',
    details: [observeReasons[reason]],
    remedy: 'Wait until it acts again: its next ticks try by themselves.',
    docsPath: 'golem.md#recovery',
    retryable: true,
  })
}
