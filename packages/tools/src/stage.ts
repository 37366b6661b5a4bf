import type { Phase } from '@bardo/core'
import type { Golem } from '@bardo/store'

/** The stages of life that tools and their guidelines distinguish. */
export const stages = ['thriving', 'cautious', 'declining', 'terminal'] as const

export type Stage = (typeof stages)[number]

const stageByPhase: Readonly<Record<Phase, Stage>> = {
  thriving: 'thriving',
  stable: 'cautious',
  conservation: 'cautious',
  declining: 'declining',
  terminal: 'terminal',
}

/** The stage of a phase: "cautious" covers Stable and Conservation. */
export function stageOf(phase: Phase): Stage {
  return stageByPhase[phase]
}

/** The stage of a Golem: "terminal" if it is dying or dead. */
export function stageOfLife({ phase, status }: Pick<Golem, 'phase' | 'status'>): Stage {
  return status === 'dying' || status === 'dead' ? 'terminal' : stageOf(phase)
}
