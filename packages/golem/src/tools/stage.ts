import type { Phase } from '@bardo/core'

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
