import {
  isLegacyRequest,
  type McpHttpHandler,
  type McpServer,
  readRequestBody,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { z } from 'zod'

/** No call holds more; see `parseInput`. */
const mostBytes = 262_144

/** A message that asks for no progress: nothing is sent ahead of its answer. */
const quiet = z.object({
  method: z.string(),
  params: z.object({ _meta: z.object({ progressToken: z.undefined() }).optional() }).optional(),
})

/** Reads a message and answers it. */
export async function answerMcp(
  { handler, open }: { readonly handler: McpHttpHandler; readonly open: () => McpServer },
  request: Request,
): Promise<Response> {
  if (request.method !== 'POST') return handler.fetch(request)
  const read = await readRequestBody(request, mostBytes)
  if (read.tooLarge) return failure(413, -32_000, `A message has ${mostBytes} bytes at most.`)
  const parsedBody = parsed(read.text)
  if (parsedBody === undefined) return failure(400, -32_700, 'The message is not JSON.')
  const isPlain = quiet.safeParse(parsedBody).success && (await isLegacyRequest(request, parsedBody))
  return isPlain ? answerPlainly(open(), request, parsedBody) : handler.fetch(request, { parsedBody })
}

/** The handler would open a stream for one answer, and each piece of a stream costs both ends a system call. */
async function answerPlainly(mcp: McpServer, request: Request, parsedBody: unknown): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await mcp.connect(transport)
  try {
    return await transport.handleRequest(request, { parsedBody })
  } finally {
    await mcp.close()
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function failure(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status })
}
