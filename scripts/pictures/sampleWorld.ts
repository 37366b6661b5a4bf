import { sampleGolem, sampleId } from '../../apps/cli/src/testing/sampleGolems.ts'
import { type SampleOffice, sampleOffice } from '../../apps/cli/src/testing/sampleOffice.ts'

/** The time of the picture. */
export const pictureAt = Date.UTC(2026, 0, 2, 10, 24, 36)

const transaction = (letter: string) => `0x${letter.repeat(32)}`

/** Five sample Golems, each in another state, with their events. */
export function sampleWorld(): SampleOffice {
  const at = pictureAt
  const ease = (from: number, to: number, steps: number) =>
    Array.from({ length: steps }, (_, index) => Math.round(from + ((to - from) * index) / (steps - 1)))
  const golems = [
    sampleGolem({ name: 'Alpha DCA', vitality: ease(100, 96, 30), spentCents: 18_400, tick: 1_204 }, at),
    sampleGolem(
      {
        name: 'Harbour yield',
        phase: 'stable',
        vitality: [...ease(92, 71, 20), ...ease(71, 64, 14)],
        spentCents: 4_000,
        limitCents: 20_000,
        days: [30, 17.3],
        nextTickSeconds: 38,
      },
      at,
    ),
    sampleGolem(
      {
        name: 'Night swap',
        phase: 'conservation',
        vitality: [...ease(88, 60, 12), ...ease(60, 38, 18)],
        spentCents: 9_600,
        limitCents: 10_000,
        days: [14, 3.1],
        health: 'low',
        nextTickSeconds: 4,
      },
      at,
    ),
    sampleGolem(
      {
        name: 'Replicant 3',
        phase: 'declining',
        status: 'observing',
        vitality: ease(70, 14, 26),
        spentCents: 200,
        limitCents: 1_000,
        days: [7, 0.4],
        health: 'critical',
        nextTickSeconds: 51,
      },
      at,
    ),
    sampleGolem(
      {
        name: 'Zero',
        status: 'dead',
        phase: 'terminal',
        vitality: ease(48, 0, 20),
        spentCents: 0,
        days: [10, 0],
      },
      at,
    ),
  ]
  return sampleOffice(golems, () => at, [
    [sampleId('Zero'), 'DeathProtocolStarted', { trigger: 'naturalExpiry' }, 412],
    [sampleId('Zero'), 'PositionsUnwound', { positionsExited: 1, positionsLeft: 0 }, 409],
    [sampleId('Zero'), 'PERMISSION_REVOKED', {}, 406],
    [sampleId('Zero'), 'DeathCompleted', { lifetimeTicks: 8_112 }, 405],
    [sampleId('Alpha DCA'), 'action.landed', { spentCents: '200', transaction: transaction('5e') }, 96],
    [sampleId('Night swap'), 'vitals.phaseChanged', { from: 'stable', to: 'conservation' }, 71],
    [sampleId('Harbour yield'), 'action.landed', { spentCents: '4000', transaction: transaction('b7') }, 55],
    [sampleId('Alpha DCA'), 'action.landed', { spentCents: '200', transaction: transaction('1c') }, 36],
    [
      sampleId('Night swap'),
      'action.refused',
      {
        where: 'chain',
        failure: {
          message:
            'Cage refuses the redemption: SpendLimitExceeded(9600, 600, 10000). Spend at most $4 now, not $6.',
        },
      },
      22,
    ],
    [sampleId('Replicant 3'), 'owner.requestFiled', { kind: 'feed', request: '0x7d1f:feed' }, 9],
  ])
}
