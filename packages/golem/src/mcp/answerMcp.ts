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

/** Who answers: a handler of the protocol's makers, or a server that is opened for one message. */
export type Answering = {
  readonly handler: McpHttpHandler
  readonly open: () => McpServer
  readonly onError: (error: Error) => void
}

/** Reads a message and answers it. */
export async function answerMcp({ handler, open, onError }: Answering, request: Request): Promise<Response> {
  if (request.method !== 'POST') return handler.fetch(request)
  const text = await readText(request)
  if (text === undefined) return failure(413, -32_000, `A message has ${mostBytes} bytes at most.`)
  const parsedBody = parsed(text)
  if (parsedBody === undefined) return failure(400, -32_700, 'The message is not JSON.')
  const isPlain = quiet.safeParse(parsedBody).success && (await isLegacyRequest(request, parsedBody))
  return isPlain
    ? answerPlainly({ open, onError }, request, parsedBody)
    : handler.fetch(request, { parsedBody })
}

/** A body, if it is not too large. One that says how long it is cannot be longer, and need not be read as a stream. */
async function readText(request: Request): Promise<string | undefined> {
  const length = request.headers.get('content-length')
  if (length !== null && Number(length) <= mostBytes) return request.text()
  const read = await readRequestBody(request, mostBytes)
  return read.tooLarge ? undefined : read.text
}

/** The handler would open a stream for one answer, and each piece of a stream costs both ends a system call. */
async function answerPlainly(
  { open, onError }: Pick<Answering, 'open' | 'onError'>,
  request: Request,
  parsedBody: unknown,
): Promise<Response> {
  const mcp = open()
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await mcp.connect(transport)
  try {
    return await transport.handleRequest(request, { parsedBody })
  } finally {
    // Nobody waits for what is cleared away; the answer goes out first.
    setImmediate(() => mcp.close().catch(onError))
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
