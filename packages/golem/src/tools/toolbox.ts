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

/** Names of tools, in the order in which an agent meets them. */
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
  'wallet_revoke_session_key',
  'wallet_provision_session_key',
  'wallet_configure_policy',
  'wallet_fund',
] as const
const all = [...golem, 'wallet_migrate'] as const

/** What each list is for, and the names of its tools. */
const profileTools: Readonly<Record<ProfileName, readonly string[]>> = {
  /** Who a Golem is and what it may do: all that reads of it, and the four permission tools, which spec 003 puts into every list. */
  identity,
  /** A Golem's own mind: also acting, keys, policy and funds. Its wallet is not its own to move, so no migration. */
  golem,
  /** An owner's agent: everything, since a migration needs the owner's signature anyway. */
  full: all,
  /** A developer on the devnet, where an owner answers unattended: everything, so that everything can be tried. */
  dev: all,
}

/** The tools of each list. */
export const profiles: Readonly<Record<ProfileName, readonly AnyTool[]>> = {
  identity: named(profileTools.identity),
  golem: named(profileTools.golem),
  full: named(profileTools.full),
  dev: named(profileTools.dev),
}

function named(names: readonly string[]): readonly AnyTool[] {
  return tools.filter(({ name }) => names.includes(name))
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
