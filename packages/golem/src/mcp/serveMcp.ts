import { randomBytes } from 'node:crypto'
import type { McpParts } from './createMcpServer.ts'
import { reserveStdout } from './reserveStdout.ts'
import { serveMcpHttp } from './serveMcpHttp.ts'
import { serveMcpStdio } from './serveMcpStdio.ts'

/** What is served, and how. */
export type McpOptions = Pick<McpParts, 'context' | 'profile' | 'onError'> & {
  readonly over:
    | { readonly is: 'stdio' }
    /** Port 0 is any that is free. Without a token one is made. */
    | { readonly is: 'http'; readonly port: number; readonly token?: string | undefined }
  readonly signal: AbortSignal
}

/** What is being served. `closed` is fulfilled once nobody is served any more and no call is under way. */
export type ServedMcp =
  | { readonly is: 'stdio'; readonly closed: Promise<void> }
  | { readonly is: 'http'; readonly url: string; readonly token: string; readonly closed: Promise<void> }

/**
 * Serves the tools over MCP: to the process that started this one, over standard input and output, or to this machine over
 * HTTP.
 *
 * @example
 * const served = await serveMcp({ context, profile: 'golem', over: { is: 'stdio' }, signal, onError })
 * await served.closed
 */
export async function serveMcp({ over, ...options }: McpOptions): Promise<ServedMcp> {
  if (over.is === 'stdio') {
    const streams = { input: process.stdin, output: reserveStdout() }
    return { is: 'stdio', ...(await serveMcpStdio({ ...options, ...streams })) }
  }
  const { port, token = randomBytes(32).toString('base64url') } = over
  return { is: 'http', token, ...(await serveMcpHttp({ ...options, port, token })) }
}
