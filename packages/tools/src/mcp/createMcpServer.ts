import { BardoError } from '@bardo/core'
import { McpServer, ProtocolError, ProtocolErrorCode, type ServerContext } from '@modelcontextprotocol/server'
import { callTool } from '../callTool.ts'
import { guidelinesFor, offeredTools, type ProfileName, profiles } from '../toolbox.ts'
import type { ToolContext } from '../toolContext.ts'
import type { AnyTool } from '../toolDefinition.ts'
import { listedTool } from './listedTool.ts'
import type { RunningCalls } from './runningCalls.ts'
import type { StageWatch } from './watchStage.ts'

/** The parts of an MCP server; many servers share one of these. */
export type McpParts = {
  readonly context: ToolContext
  readonly profile: ProfileName
  readonly stage: Pick<StageWatch, 'seen' | 'look'>
  readonly calls: RunningCalls
  /** Receives internal errors, which the client does not see. */
  readonly onError: (error: Error) => void
}

const info = { name: 'bardo', title: 'Bardo', version: '0.1.0' }

/**
 * An MCP server for the tools of a profile, for one client or one request. Only `callTool` checks input and
 * output, so
 * that errors are worded the same everywhere.
 */
export function createMcpServer(parts: McpParts): McpServer {
  const { profile, stage, calls } = parts
  const mcp = new McpServer(info, {
    instructions: guidelinesFor(profile, stage.seen()),
    capabilities: { tools: { listChanged: true } },
  })
  // Tools that are not available in a stage are not listed. Calling one returns the reason.
  mcp.server.setRequestHandler('tools/list', async () => ({
    tools: offeredTools(profile, await stage.look()).map(listedTool),
  }))
  mcp.server.setRequestHandler('tools/call', async ({ params }, request) => {
    const tool = profiles[profile].find(({ name }) => name === params.name)
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Unknown tool.')
    return calls.follow(answer(parts, tool, params.arguments ?? {}, request))
  })
  offerGuidelines(mcp, profile, stage)
  return mcp
}

async function answer({ context, onError }: McpParts, tool: AnyTool, input: unknown, request: ServerContext) {
  try {
    const output = await callTool(context, tool, input, { onProgress: progressOf(request) })
    return { content: [text(tool.say(output))], structuredContent: output }
  } catch (error) {
    if (!(error instanceof BardoError)) onError(new Error(`${tool.name} failed`, { cause: error }))
    return { content: failureOf(error), isError: true }
  }
}

function progressOf({ mcpReq }: ServerContext) {
  const token = mcpReq._meta?.progressToken
  if (token === undefined) return undefined
  return async (progress: number, total: number, message: string) => {
    const params = { progressToken: token, progress, total, message }
    // A client that disconnects must not interrupt a running call.
    await mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined)
  }
}

/** An error as text and as JSON. The message of an unknown error may hold anything and is not passed on. */
function failureOf(error: unknown) {
  const bardoError =
    error instanceof BardoError
      ? error
      : new BardoError('Internal error in Bardo.', { code: 'INTERNAL', outcome: 'unknown' })
  return [text(bardoError.message), text(JSON.stringify(bardoError))]
}

function offerGuidelines(mcp: McpServer, profile: ProfileName, stage: McpParts['stage']): void {
  const about = { title: 'Guidelines', description: 'How to use the tools in the current stage of life.' }
  mcp.registerPrompt('guidelines', about, async () => ({
    messages: [{ role: 'user', content: text(guidelinesFor(profile, await stage.look())) }],
  }))
  mcp.registerResource(
    'guidelines',
    'bardo://guidelines',
    { ...about, mimeType: 'text/plain' },
    async ({ href }) => ({
      contents: [{ uri: href, mimeType: 'text/plain', text: guidelinesFor(profile, await stage.look()) }],
    }),
  )
}

function text(content: string) {
  return { type: 'text' as const, text: content }
}
