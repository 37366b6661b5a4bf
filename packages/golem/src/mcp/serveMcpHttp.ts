import { timingSafeEqual } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { BardoError } from '@bardo/core'
import { createAdaptorServer } from '@hono/node-server'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { answerMcp } from './answerMcp.ts'
import { createMcpServer, type McpParts } from './createMcpServer.ts'
import { createRunningCalls } from './runningCalls.ts'
import { watchStage } from './watchStage.ts'

/** How the tools are served over HTTP. */
export type McpHttpOptions = Pick<McpParts, 'context' | 'profile' | 'onError'> & {
  /** 0 for any that is free. */
  readonly port: number
  /** What a client has to show; at least 32 characters. */
  readonly token: string
  readonly signal: AbortSignal
}

/** The tools as they are served. */
export type McpHttp = { readonly url: string; readonly closed: Promise<void> }

const leastToken = 32
/** What a header can carry. */
const tokenShape = /^[!-~]+$/
const path = '/mcp'

/** Serves the tools over streamable HTTP on this machine alone, until the signal is aborted. */
export async function serveMcpHttp(options: McpHttpOptions): Promise<McpHttp> {
  const { port, token, signal, onError } = options
  if (token.length < leastToken || !tokenShape.test(token))
    throw new BardoError('The token cannot be used.', {
      code: 'CONFIG_INVALID',
      details: [`${leastToken} letters, digits or signs at least, and no spaces`],
      remedy: 'Let Bardo make one: leave it out.',
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
  const { port: taken } = server.address() as AddressInfo
  const close = async () => {
    await stage.watch()
    await handler.close()
    await new Promise<void>((resolve) => server.close(() => resolve()))
    await calls.idle()
  }
  signal.addEventListener('abort', () => 'closeAllConnections' in server && server.closeAllConnections())
  return { url: `http://127.0.0.1:${taken}${path}`, closed: close() }
}

/** Who may not come in, and why. A page in a browser must not reach this machine by another name. */
function refusal(request: Request, token: string): Response | undefined {
  const host = request.headers.get('host') ?? ''
  const origin = request.headers.get('origin')
  if (!isThisMachine(`http://${host}`) || (origin !== null && !isThisMachine(origin)))
    return answer(403, 'This server is for its own machine alone.')
  if (new URL(request.url).pathname !== path) return answer(404, `The tools are at ${path}.`)
  if (!isToken(request.headers.get('authorization') ?? '', token))
    return answer(401, 'Send the token: Authorization: Bearer …', { 'www-authenticate': 'Bearer' })
  return undefined
}

function isThisMachine(url: string): boolean {
  return URL.canParse(url) && ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname)
}

function isToken(authorization: string, token: string): boolean {
  const [shown, wanted] = [Buffer.from(authorization), Buffer.from(`Bearer ${token}`)]
  return shown.length === wanted.length && timingSafeEqual(shown, wanted)
}

function answer(status: number, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ error: message }, { status, headers })
}

function cannotListen(port: number, cause: NodeJS.ErrnoException): BardoError {
  const isTaken = cause.code === 'EADDRINUSE'
  return new BardoError(isTaken ? `Port ${port} is taken.` : 'The tools cannot be served.', {
    code: isTaken ? 'PORT_TAKEN' : 'INTERNAL',
    cause,
    remedy: 'Choose another port.',
  })
}
