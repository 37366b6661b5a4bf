import { randomBytes } from 'node:crypto'
import { Writable } from 'node:stream'
import type { McpParts } from './createMcpServer.ts'
import { serveMcpHttp } from './serveMcpHttp.ts'
import { serveMcpStdio } from './serveMcpStdio.ts'

/** What to serve, and how. */
export type McpOptions = Pick<McpParts, 'context' | 'profile' | 'onError'> & {
  readonly over:
    | { readonly type: 'stdio' }
    /** Port 0: any free port. Without a token, one is generated. */
    | { readonly type: 'http'; readonly port: number; readonly token?: string | undefined }
  readonly signal: AbortSignal
}

/** The running server. `closed` resolves when no client is connected and no call is in progress. */
export type ServedMcp =
  | { readonly type: 'stdio'; readonly closed: Promise<void> }
  | { readonly type: 'http'; readonly url: string; readonly token: string; readonly closed: Promise<void> }

/**
 * Serves the tools over MCP: over standard input and output to the parent process, or over HTTP to this
 * machine.
 *
 * @example
 * const served = await serveMcp({ context, profile: 'golem', over: { type: 'stdio' }, signal, onError })
 * await served.closed
 */
export async function serveMcp({ over, ...options }: McpOptions): Promise<ServedMcp> {
  if (over.type === 'stdio') {
    const streams = { input: process.stdin, output: reserveStdout() }
    return { type: 'stdio', ...(await serveMcpStdio({ ...options, ...streams })) }
  }
  const { port, token = randomBytes(32).toString('base64url') } = over
  return { type: 'http', token, ...(await serveMcpHttp({ ...options, port, token })) }
}

/**
 * Reserves standard output for a protocol: all other writes to it, by `console.log` or a library, go to
 * standard error from now on. Call it once per process; it cannot be undone.
 */
function reserveStdout(): Writable {
  const { stdout, stderr } = process
  const write = stdout.write.bind(stdout)
  stdout.write = stderr.write.bind(stderr)
  const output = new Writable({
    decodeStrings: false,
    write: (chunk: string, _, done) => void write(chunk, done),
  })
  // Standard output has no reader any more: destroy the protocol's stream and keep the process running.
  stdout.on('error', (error) => output.destroy(error))
  return output
}
