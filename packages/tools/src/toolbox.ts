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
import { replicateTool } from './replicateTool.ts'
import { requestRunway } from './requestRunway.ts'
import { revokePermissions } from './revokePermissions.ts'
import { revokeSessionKey } from './revokeSessionKey.ts'
import type { Stage } from './stage.ts'
import type { AnyTool } from './toolDefinition.ts'

/** Every tool, in the order in which an agent sees them. */
export const tools: readonly AnyTool[] = [
  checkPermissionHealth,
  listSessionKeys,
  getDelegationTree,
  previewActionTool,
  commitActionTool,
  replicateTool,
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

/** The names of the profiles. A profile is the list of tools that an agent gets. */
export const profileNames = ['identity', 'golem', 'full', 'dev'] as const

export type ProfileName = (typeof profileNames)[number]

/** Names of tools, in the order in which an agent sees them. */
const identity = [
  'metamask_check_permission_health',
  'wallet_list_session_keys',
  'get_delegation_tree',
  'wallet_get_status',
  'explain_action',
  'metamask_redeem_runway',
  'metamask_revoke_permissions',
  'metamask_request_runway',
] as const
const golem = [
  ...identity,
  'preview_action',
  'commit_action',
  'replicate',
  'wallet_revoke_session_key',
  'wallet_provision_session_key',
  'wallet_configure_policy',
  'wallet_fund',
] as const
const all = [...golem, 'wallet_migrate'] as const

/** The tools of each profile. */
const profileTools: Readonly<Record<ProfileName, readonly string[]>> = {
  /**
   * For reading a Golem's status and permissions: all read tools and the four permission tools, which every
   * profile has.
   */
  identity,
  /**
   * For a Golem's own model: also actions, keys, policy and funds. No migration: the Golem does not decide
   * over its wallet.
   */
  golem,
  /** For an owner's agent: every tool; a migration needs the owner's signature anyway. */
  full: all,
  /** For a developer on the devnet, where an owner responder answers: every tool. */
  dev: all,
}

/** The tools of each profile. */
export const profiles: Readonly<Record<ProfileName, readonly AnyTool[]>> = {
  identity: toolsByName(profileTools.identity),
  golem: toolsByName(profileTools.golem),
  full: toolsByName(profileTools.full),
  dev: toolsByName(profileTools.dev),
}

function toolsByName(names: readonly string[]): readonly AnyTool[] {
  return tools.filter(({ name }) => names.includes(name))
}

/** The tools of a profile that are available in a stage of life. */
export function offeredTools(profile: ProfileName, stage: Stage): readonly AnyTool[] {
  return profiles[profile].filter(({ stages }) => stages.includes(stage))
}

/** The guidelines for the tools of a profile in a stage of life. */
export function guidelinesFor(profile: ProfileName, stage: Stage): string {
  const lines = offeredTools(profile, stage).map(
    ({ name, promptSnippet, guidelines }) => `- ${name}: ${promptSnippet} ${guidelines[stage]}`,
  )
  return [`Stage of life: ${stage}.`, '', ...lines].join('\n')
}
