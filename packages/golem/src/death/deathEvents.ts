import type { GolemEvent } from '../events/golemEvent.ts'
import type { Death, DeathStep } from './death.ts'
import type { LifeFigures } from './runDeath.ts'

/** What a step that is behind a death has to tell. */
export function deathEvents(death: Death, step: DeathStep, figures: LifeFigures): GolemEvent[] {
  const { golem, trigger, unwound } = death
  const because = death.impossible.find((entry) => entry.step === step)?.because
  const failed: GolemEvent[] = because === undefined ? [] : [{ name: 'death.stepImpossible', step, because }]
  return [...failed, ...told()]

  function told(): GolemEvent[] {
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
      // Only what happened is told: without a surrender the permissions are still there.
      case 'surrender':
        return because === undefined
          ? [{ name: 'PERMISSION_REVOKED', reason: trigger, permissions: figures.permissions }]
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
