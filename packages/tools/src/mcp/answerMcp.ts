import {
  isLegacyRequest,
  type McpHttpHandler,
  type McpServer,
  readRequestBody,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { z } from 'zod'

/** The maximum size of a message. Must exceed the input limit of `parseInput`. */
const mostBytes = 262_144

/** A message without a progress token: nothing is sent before its answer. */
const withoutProgress = z.object({
  method: z.string(),
  params: z.object({ _meta: z.object({ progressToken: z.undefined() }).optional() }).optional(),
})

/** How messages are answered: by the SDK's handler, or by a server that is opened for one message. */
export type Answering = {
  readonly handler: McpHttpHandler
  readonly open: () => McpServer
  readonly onError: (error: Error) => void
}

/** Reads and answers a message. */
export async function answerMcp({ handler, open, onError }: Answering, request: Request): Promise<Response> {
  if (request.method !== 'POST') return handler.fetch(request)
  const text = await readText(request)
  if (text === undefined) return failure(413, -32_000, `The message is larger than ${mostBytes} bytes.`)
  const parsedBody = parseJson(text)
  if (parsedBody === undefined) return failure(400, -32_700, 'The message is not JSON.')
  const isPlain =
    withoutProgress.safeParse(parsedBody).success && (await isLegacyRequest(request, parsedBody))
  return isPlain
    ? answerPlainly({ open, onError }, request, parsedBody)
    : handler.fetch(request, { parsedBody })
}

/**
 * The body, or undefined if it is too large. A body with a content-length cannot exceed it and is read
 * without a stream.
 */
async function readText(request: Request): Promise<string | undefined> {
  const length = request.headers.get('content-length')
  if (length !== null && Number(length) <= mostBytes) return request.text()
  const read = await readRequestBody(request, mostBytes)
  return read.tooLarge ? undefined : read.text
}

/**
 * Answers without a stream: the SDK's handler would open one for a single answer, at the cost of a system
 * call per chunk.
 */
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
    // Close the server after the answer is sent.
    setImmediate(() => mcp.close().catch(onError))
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function failure(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status })
}
