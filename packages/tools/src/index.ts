export { callTool, type ToolCallOptions } from './callTool.ts'
export { constitutionText } from './constitutionText.ts'
export { explainActionTool } from './explainActionTool.ts'
export { findSubject } from './findSubject.ts'
export { getDelegationTree } from './getDelegationTree.ts'
export { getStatus } from './getStatus.ts'
export { listedTool } from './mcp/listedTool.ts'
export { type McpOptions, type ServedMcp, serveMcp } from './mcp/serveMcp.ts'
export { serveMcpStdio } from './mcp/serveMcpStdio.ts'
export { revokePermissions } from './revokePermissions.ts'
export { type Stage, stageOf } from './stage.ts'
export {
  guidelinesFor,
  offeredTools,
  type ProfileName,
  profileNames,
  profiles,
  tools,
} from './toolbox.ts'
export type { ToolContext } from './toolContext.ts'
export type {
  AnyTool,
  CapabilityTier,
  Progress,
  RiskLayer,
  ToolCall,
  ToolDefinition,
} from './toolDefinition.ts'
export type { HookedCall, HookedOutcome, ToolHooks } from './toolHooks.ts'
