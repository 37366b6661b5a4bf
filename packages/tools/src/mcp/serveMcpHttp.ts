import { timingSafeEqual } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { BardoError } from '@bardo/core'
import { createAdaptorServer } from '@hono/node-server'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { answerMcp } from './answerMcp.ts'
import { createMcpServer, type McpParts } from './createMcpServer.ts'
import { createRunningCalls } from './runningCalls.ts'
import { watchStage } from './watchStage.ts'

/** Options of the HTTP server. */
export type McpHttpOptions = Pick<McpParts, 'context' | 'profile' | 'onError'> & {
  /** 0: any free port. */
  readonly port: number
  /** The bearer token of clients; at least 32 characters. */
  readonly token: string
  readonly signal: AbortSignal
}

/** The running HTTP server. */
export type McpHttp = { readonly url: string; readonly closed: Promise<void> }

const leastToken = 32
/** The characters that an HTTP header can carry. */
const tokenShape = /^[!-~]+$/
const path = '/mcp'

/** Serves the tools over streamable HTTP on the loopback interface, until the signal is aborted. */
export async function serveMcpHttp(options: McpHttpOptions): Promise<McpHttp> {
  const { port, token, signal, onError } = options
  if (token.length < leastToken || !tokenShape.test(token))
    throw new BardoError('The token is invalid.', {
      code: 'CONFIG_INVALID',
      details: [`required: at least ${leastToken} printable ASCII characters without spaces`],
      remedy: 'Leave the token out: Bardo then generates one.',
      docsPath: 'tools.md#over-http',
    })
  const calls = createRunningCalls()
  const stage = await watchStage({ ...options, onChange: () => handler.notify.toolsChanged() })
  const open = () => createMcpServer({ ...options, stage, calls })
  const handler = createMcpHandler(open, { onerror: onError })
  const server = createAdaptorServer({
    fetch: (request: Request) => refusal(request, token) ?? answerMcp({ handler, open, onError }, request),
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => reject(cannotListen(port, cause)))
    server.listen(port, '127.0.0.1', resolve)
  })
  const { port: listeningPort } = server.address() as AddressInfo
  const close = async () => {
    await stage.watch()
    await handler.close()
    await new Promise<void>((resolve) => server.close(() => resolve()))
    await calls.idle()
  }
  signal.addEventListener('abort', () => 'closeAllConnections' in server && server.closeAllConnections())
  return { url: `http://127.0.0.1:${listeningPort}${path}`, closed: close() }
}

/**
 * The response to a request that is not allowed. The host check stops a browser page that reaches this
 * machine by DNS rebinding.
 */
function refusal(request: Request, token: string): Response | undefined {
  const host = request.headers.get('host') ?? ''
  const origin = request.headers.get('origin')
  if (!isThisMachine(`http://${host}`) || (origin !== null && !isThisMachine(origin)))
    return answer(403, 'This server accepts connections only from its own machine.')
  if (new URL(request.url).pathname !== path) return answer(404, `The tools are at ${path}.`)
  if (!isToken(request.headers.get('authorization') ?? '', token))
    return answer(401, 'Send the token: Authorization: Bearer …', { 'www-authenticate': 'Bearer' })
  return undefined
}

function isThisMachine(url: string): boolean {
  return URL.canParse(url) && ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname)
}

function isToken(authorization: string, token: string): boolean {
  const [actual, expected] = [Buffer.from(authorization), Buffer.from(`Bearer ${token}`)]
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

function answer(status: number, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ error: message }, { status, headers })
}

function cannotListen(port: number, cause: NodeJS.ErrnoException): BardoError {
  const isTaken = cause.code === 'EADDRINUSE'
  return new BardoError(isTaken ? `Port ${port} is taken.` : 'The MCP server cannot start.', {
    code: isTaken ? 'PORT_TAKEN' : 'INTERNAL',
    cause,
    remedy: 'Choose another port, or 0 for any free port.',
  })
}
