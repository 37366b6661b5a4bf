import { revocationReason } from '@bardo/core'
import type { GolemEvent } from '../events/golemEvent.ts'
import type { Death, DeathStep } from '../state/death.ts'
import type { LifeFigures } from './runDeath.ts'

/** The events of a completed step of a death. */
export function deathEvents(death: Death, step: DeathStep, figures: LifeFigures): GolemEvent[] {
  const { golem, trigger, unwound } = death
  const because = death.impossible.find((entry) => entry.step === step)?.because
  const failed: GolemEvent[] = because === undefined ? [] : [{ name: 'death.stepImpossible', step, because }]
  return [...failed, ...eventsOfStep()]

  function eventsOfStep(): GolemEvent[] {
    switch (step) {
      case 'settle':
      case 'settleLate':
        return [
          {
            name: 'PositionsUnwound',
            positionsExited: unwound.settled.length,
            positionsLeft: unwound.deferred.length,
            totalRecoveredCents: unwound.settled.reduce(
              (sum, { recoveredCents }) => sum + recoveredCents,
              0n,
            ),
            slippageCostCents: unwound.slippageCostCents,
            settled: unwound.settled,
            deferred: unwound.deferred,
          },
        ]
      case 'postTerminal':
        return [{ name: 'GOLEM_TERMINAL', golem, permissions: figures.permissions }]
      // Only what happened is recorded: without a surrender the permissions still exist.
      case 'surrender':
        return because === undefined
          ? [
              {
                name: 'PERMISSION_REVOKED',
                reason: revocationReason(trigger),
                permissions: figures.permissions,
              },
            ]
          : []
      case 'deregister':
        return [
          {
            name: 'DeathCompleted',
            golem,
            lifetimeTicks: figures.ticks,
            totalCostCents: figures.totalCostCents,
            finalNavCents: figures.finalNavCents,
          },
        ]
      default:
        return []
    }
  }
}
