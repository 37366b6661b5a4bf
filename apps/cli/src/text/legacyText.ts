import { formatDollars } from '@bardo/core'
import type { Legacy } from '@bardo/golem/death'
import { printable } from '../terminal/printable.ts'

/** The number of pieces of knowledge to show. */
const mostShown = 5

/** The lines of a dead Golem’s settlement and testament. */
export function legacyText({ settlement, testament }: Legacy): readonly (readonly [string, string])[] {
  return [
    ...(settlement ? ([['settled', settledText(settlement)]] as const) : []),
    ...(settlement?.open ?? []).map(({ id, reason }) => ['left open', `${id}: ${reason}`] as const),
    ...(testament
      ? [
          [
            'testament',
            `generation ${testament.generation}, ${testament.knowledge.length} pieces of knowledge`,
          ] as const,
          ...testament.knowledge
            .slice(0, mostShown)
            .map(
              ({ kind, text, confidence }) =>
                [`  ${kind}`, `${printable(text)} (${Math.round(confidence * 100)} %)`] as const,
            ),
        ]
      : []),
  ]
}

function settledText({ closed, open }: NonNullable<Legacy['settlement']>): string {
  const cents = closed.reduce((sum, one) => sum + BigInt(one.cents), 0n)
  const left = open.length === 0 ? 'nothing is left open' : `${open.length} left open`
  return closed.length === 0
    ? `no position was closed, ${left}`
    : `${closed.length} closed for ${formatDollars(`${cents}`)}, ${left}`
}
