import type { Phase } from '@bardo/core'
import type { Golem } from '@bardo/store'

/** How far a life has come, as the guidelines of the tools tell it apart. */
export const stages = ['thriving', 'cautious', 'declining', 'terminal'] as const

export type Stage = (typeof stages)[number]

const stageByPhase: Readonly<Record<Phase, Stage>> = {
  thriving: 'thriving',
  stable: 'cautious',
  conservation: 'cautious',
  declining: 'declining',
  terminal: 'terminal',
}

/** The stage of a phase. Origin: DESIGN §5, "cautious" means Stable and Conservation. */
export function stageOf(phase: Phase): Stage {
  return stageByPhase[phase]
}

/** The stage of a life: whoever is dying or dead has no other than the last. */
export function stageOfLife({ phase, status }: Pick<Golem, 'phase' | 'status'>): Stage {
  return status === 'dying' || status === 'dead' ? 'terminal' : stageOf(phase)
}
