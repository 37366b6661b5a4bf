import { BardoError } from '@bardo/core'
import type { Golem } from '@bardo/store'
import { type Stage, stageOf } from './stage.ts'
import type { AnyTool } from './toolDefinition.ts'

/** The stage of life that a Golem's tools go by: one that dies is terminal, whatever its phase. */
export function stageOfGolem({ phase, status }: Pick<Golem, 'phase' | 'status'>): Stage {
  return status === 'dying' || status === 'dead' ? 'terminal' : stageOf(phase)
}

/** In a stage of life that it is not for, a tool is not there. */
export function requireStage({ name, stages, guidelines }: AnyTool, golem: Golem): void {
  const { phase, status } = golem
  const stage = stageOfGolem(golem)
  if (stages.includes(stage)) return
  throw new BardoError(`${name} is not for a Golem that is ${stage}.`, {
    code: stage === 'terminal' ? 'GOLEM_DYING' : 'ACTION_NOT_ALLOWED',
    details: [`phase: ${phase}`, `status: ${status}`],
    remedy: guidelines[stage],
    docsPath: 'tools.md#stages-of-life',
  })
}
