import { answer } from './tasks/answer.ts'
import { auditExport, auditVerify } from './tasks/audit.ts'
import { compile } from './tasks/compile.ts'
import { events } from './tasks/events.ts'
import { explain } from './tasks/explain.ts'
import { golems } from './tasks/golems.ts'
import { kill } from './tasks/kill.ts'
import { mcp, mcpHttp } from './tasks/mcp.ts'
import { regrant } from './tasks/regrant.ts'
import { replicate } from './tasks/replicate.ts'
import { requests } from './tasks/requests.ts'
import { revoke } from './tasks/revoke.ts'
import { roster } from './tasks/roster.ts'
import { rotate } from './tasks/rotate.ts'
import { status } from './tasks/status.ts'
import { summon } from './tasks/summon.ts'
import { tree } from './tasks/tree.ts'

/** All that can be asked of a data folder. */
export const tasks = {
  golems,
  roster,
  status,
  tree,
  explain,
  compile,
  requests,
  answer,
  summon,
  regrant,
  revoke,
  kill,
  replicate,
  rotate,
  mcp,
  mcpHttp,
  auditVerify,
  auditExport,
  events,
} as const
