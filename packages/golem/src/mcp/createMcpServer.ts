import { BardoError } from '@bardo/core'
import { McpServer, type ServerContext } from '@modelcontextprotocol/server'
import type { z } from 'zod'
import { callTool } from '../tools/callTool.ts'
import type { Stage } from '../tools/stage.ts'
import { guidelinesFor, type ProfileName, profiles } from '../tools/toolbox.ts'
import type { ToolContext } from '../tools/toolContext.ts'
import type { AnyTool } from '../tools/toolDefinition.ts'

/** Who serves the tools, and to whom. */
export type McpOptions = {
  readonly context: ToolContext
  readonly profile: ProfileName
  /** The stage of life of the Golem that the tools were opened for, as it is now. */
  stage(): Promise<Stage>
}

/** A server, and how it learns that the stage of life has changed. */
export type OpenServer = {
  readonly server: McpServer
  /** Shows the tools of that stage, and tells the client if they are others than before. */
  show(stage: Stage): void
}

const info = { name: 'bardo', title: 'Bardo', version: '0.1.0' }

/** An MCP server over the tools of a profile. */
export async function createMcpServer({ context, profile, stage }: McpOptions): Promise<OpenServer> {
  const server = new McpServer(info, { instructions: guidelinesFor(profile, await stage()) })
  const registered = profiles[profile].map((tool) => ({ tool, entry: register(server, context, tool) }))
  offerGuidelines(server, profile, stage)
  const show = (now: Stage) => {
    for (const { tool, entry } of registered) {
      const isOffered = tool.stages.includes(now)
      if (isOffered !== entry.enabled) isOffered ? entry.enable() : entry.disable()
    }
  }
  show(await stage())
  return { server, show }
}

function register(server: McpServer, context: ToolContext, tool: AnyTool) {
  const { name, title, description, capability, destructive, idempotent } = tool
  return server.registerTool(
    name,
    {
      title,
      description,
      inputSchema: unchecked(tool.input),
      outputSchema: tool.output,
      annotations: {
        readOnlyHint: capability === 'read',
        destructiveHint: destructive,
        idempotentHint: idempotent,
        // Whatever acts, acts on a chain that others act on too.
        openWorldHint: true,
      },
    },
    async (input: unknown, request: ServerContext) => {
      try {
        const output = await callTool(context, tool, input, { onProgress: progressOf(request) })
        return { content: [text(tool.say(output))], structuredContent: output }
      } catch (error) {
        return { content: failureOf(error), isError: true }
      }
    },
  )
}

/** The schema as clients see it, without its checks: `callTool` makes them, and says what is wrong in our own words. */
function unchecked(schema: z.ZodType) {
  const { jsonSchema } = schema['~standard']
  return {
    '~standard': {
      version: 1 as const,
      vendor: 'bardo',
      jsonSchema,
      validate: (value: unknown) => ({ value }),
    },
  }
}

function progressOf({ mcpReq }: ServerContext) {
  const token = mcpReq._meta?.progressToken
  if (token === undefined) return undefined
  return (progress: number, total: number, message: string) =>
    mcpReq.notify({
      method: 'notifications/progress',
      params: { progressToken: token, progress, total, message },
    })
}

/** A failure for people, and the same for programs. A stranger's message may hold anything and stays behind. */
function failureOf(error: unknown) {
  const known =
    error instanceof BardoError
      ? error
      : new BardoError('Something in Bardo broke.', { code: 'INTERNAL', outcome: 'unknown' })
  return [text(known.message), text(JSON.stringify(known))]
}

function offerGuidelines(server: McpServer, profile: ProfileName, stage: McpOptions['stage']): void {
  const about = { title: 'Guidelines', description: 'How to use the tools in the present stage of life.' }
  server.registerPrompt('guidelines', about, async () => ({
    messages: [{ role: 'user', content: text(guidelinesFor(profile, await stage())) }],
  }))
  server.registerResource(
    'guidelines',
    'bardo://guidelines',
    { ...about, mimeType: 'text/plain' },
    async ({ href }) => ({ contents: [{ uri: href, text: guidelinesFor(profile, await stage()) }] }),
  )
}

function text(words: string) {
  return { type: 'text' as const, text: words }
}
