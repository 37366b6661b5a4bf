import { checkPermissionHealth } from './checkPermissionHealth.ts'
import { commitActionTool } from './commitActionTool.ts'
import { configurePolicy } from './configurePolicy.ts'
import { explainActionTool } from './explainActionTool.ts'
import { fund } from './fund.ts'
import { getDelegationTree } from './getDelegationTree.ts'
import { getStatus } from './getStatus.ts'
import { listSessionKeys } from './listSessionKeys.ts'
import { migrate } from './migrate.ts'
import { previewActionTool } from './previewActionTool.ts'
import { provisionSessionKey } from './provisionSessionKey.ts'
import { redeemRunway } from './redeemRunway.ts'
import { requestRunway } from './requestRunway.ts'
import { revokePermissions } from './revokePermissions.ts'
import { revokeSessionKey } from './revokeSessionKey.ts'
import type { Stage } from './stage.ts'
import type { AnyTool } from './toolDefinition.ts'

/** Every tool, in the order in which an agent meets them. */
export const tools: readonly AnyTool[] = [
  checkPermissionHealth,
  listSessionKeys,
  getDelegationTree,
  previewActionTool,
  commitActionTool,
  explainActionTool,
  getStatus,
  redeemRunway,
  revokePermissions,
  revokeSessionKey,
  requestRunway,
  provisionSessionKey,
  configurePolicy,
  fund,
  migrate,
]

/** The names of the lists that an agent can be given. */
export const profileNames = ['identity', 'golem', 'full', 'dev'] as const

export type ProfileName = (typeof profileNames)[number]

/** What each list holds. `identity` only looks, `golem` is for a life of its own, `full` is for an owner's agent. */
export const profiles: Readonly<Record<ProfileName, readonly AnyTool[]>> = {
  identity: tools.filter(({ capability }) => capability === 'read'),
  golem: tools,
  full: tools,
  dev: tools,
}

/** The tools of a list that there are in a stage of life. */
export function offeredTools(profile: ProfileName, stage: Stage): readonly AnyTool[] {
  return profiles[profile].filter(({ stages }) => stages.includes(stage))
}

/** What an agent is told about its tools in a stage of life. */
export function guidelinesFor(profile: ProfileName, stage: Stage): string {
  const lines = offeredTools(profile, stage).map(
    ({ name, promptSnippet, guidelines }) => `- ${name}: ${promptSnippet} ${guidelines[stage]}`,
  )
  return [`Stage of life: ${stage}.`, '', ...lines].join('\n')
}
