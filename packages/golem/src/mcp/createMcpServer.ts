import { BardoError } from '@bardo/core'
import { McpServer, ProtocolError, ProtocolErrorCode, type ServerContext } from '@modelcontextprotocol/server'
import { callTool } from '../tools/callTool.ts'
import { guidelinesFor, offeredTools, type ProfileName, profiles } from '../tools/toolbox.ts'
import type { ToolContext } from '../tools/toolContext.ts'
import type { AnyTool } from '../tools/toolDefinition.ts'
import { listedTool } from './listedTool.ts'
import type { RunningCalls } from './runningCalls.ts'
import type { StageWatch } from './watchStage.ts'

/** What a server works with; many servers share one of these. */
export type McpParts = {
  readonly context: ToolContext
  readonly profile: ProfileName
  readonly stage: Pick<StageWatch, 'seen' | 'look'>
  readonly calls: RunningCalls
  /** Hears of what broke, which no client is told. */
  readonly onError: (error: Error) => void
}

const info = { name: 'bardo', title: 'Bardo', version: '0.1.0' }

/**
 * An MCP server over the tools of a profile, for one client or one request. Input and output are checked by `callTool`
 * alone, which says what is wrong in our own words.
 */
export function createMcpServer(parts: McpParts): McpServer {
  const { profile, stage, calls } = parts
  const mcp = new McpServer(info, {
    instructions: guidelinesFor(profile, stage.seen()),
    capabilities: { tools: { listChanged: true } },
  })
  // What a stage of life has no use for is not listed. Whoever calls it all the same is told why.
  mcp.server.setRequestHandler('tools/list', async () => ({
    tools: offeredTools(profile, await stage.look()).map(listedTool),
  }))
  mcp.server.setRequestHandler('tools/call', async ({ params }, request) => {
    const tool = profiles[profile].find(({ name }) => name === params.name)
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such tool.')
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
    if (!(error instanceof BardoError)) onError(new Error(`${tool.name} broke`, { cause: error }))
    return { content: failureOf(error), isError: true }
  }
}

function progressOf({ mcpReq }: ServerContext) {
  const token = mcpReq._meta?.progressToken
  if (token === undefined) return undefined
  return async (progress: number, total: number, message: string) => {
    const params = { progressToken: token, progress, total, message }
    // A client that went away must not stop half-way what it began.
    await mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined)
  }
}

/** A failure for people, and the same for programs. A stranger's message may hold anything and stays behind. */
function failureOf(error: unknown) {
  const known =
    error instanceof BardoError
      ? error
      : new BardoError('Something in Bardo broke.', { code: 'INTERNAL', outcome: 'unknown' })
  return [text(known.message), text(JSON.stringify(known))]
}

function offerGuidelines(mcp: McpServer, profile: ProfileName, stage: McpParts['stage']): void {
  const about = { title: 'Guidelines', description: 'How to use the tools in the present stage of life.' }
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

function text(words: string) {
  return { type: 'text' as const, text: words }
}
