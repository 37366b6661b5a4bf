import { answer } from './handlers/answer.ts'
import { auditExport, auditVerify } from './handlers/audit.ts'
import { book } from './handlers/book.ts'
import { children } from './handlers/children.ts'
import { compile } from './handlers/compile.ts'
import { constitution } from './handlers/constitution.ts'
import { coSign, printProposal, takeCoSignatures } from './handlers/coSigning.ts'
import { accept, delegate, endDelegate } from './handlers/delegate.ts'
import { events } from './handlers/events.ts'
import { explain } from './handlers/explain.ts'
import { exposure } from './handlers/exposure.ts'
import { golems } from './handlers/golems.ts'
import { identity } from './handlers/identity.ts'
import { kill } from './handlers/kill.ts'
import { ledger } from './handlers/ledger.ts'
import { log } from './handlers/log.ts'
import { manifest } from './handlers/manifest.ts'
import { mcp, mcpHttp } from './handlers/mcp.ts'
import { nonces } from './handlers/nonces.ts'
import { complete, perform, prepare, presignWithdraw } from './handlers/operations.ts'
import { pause } from './handlers/pause.ts'
import { regrant } from './handlers/regrant.ts'
import { replicate } from './handlers/replicate.ts'
import { requestOfNumber, requests } from './handlers/requests.ts'
import { revoke } from './handlers/revoke.ts'
import { roster } from './handlers/roster.ts'
import { prepareRotate, rotate } from './handlers/rotate.ts'
import { runwayEffects } from './handlers/runwayEffects.ts'
import { status } from './handlers/status.ts'
import { prepareSummon, summon } from './handlers/summon.ts'
import { tree } from './handlers/tree.ts'

/** All tasks of a data folder. */
export const tasks = {
  golems,
  book,
  roster,
  nonces,
  status,
  ledger,
  tree,
  children,
  explain,
  exposure,
  compile,
  requests,
  requestOfNumber,
  answer,
  runwayEffects,
  printProposal,
  takeCoSignatures,
  coSign,
  summon,
  prepareSummon,
  regrant,
  pause,
  revoke,
  kill,
  prepare,
  complete,
  perform,
  presignWithdraw,
  constitution,
  identity,
  manifest,
  replicate,
  delegate,
  endDelegate,
  accept,
  rotate,
  prepareRotate,
  mcp,
  mcpHttp,
  log,
  auditVerify,
  auditExport,
  events,
} as const
