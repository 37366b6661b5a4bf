import { BardoError } from '@bardo/core'
import type { Golem } from '@bardo/store'
import { stageOfLife } from './stage.ts'
import type { AnyTool } from './toolDefinition.ts'

/** Throws if the tool is not available in the Golem's stage of life. */
export function requireStage({ name, stages, guidelines }: AnyTool, golem: Golem): void {
  const { phase, status } = golem
  const stage = stageOfLife(golem)
  if (stages.includes(stage)) return
  throw new BardoError(`${name} is not available in stage "${stage}".`, {
    code: stage === 'terminal' ? 'GOLEM_DYING' : 'ACTION_NOT_ALLOWED',
    details: [`phase: ${phase}`, `status: ${status}`],
    remedy: guidelines[stage],
    docsPath: 'tools.md#stages-of-life',
  })
}
