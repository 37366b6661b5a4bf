import type { Readable, Writable } from 'node:stream'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { createMcpServer, type McpParts } from './createMcpServer.ts'
import { createRunningCalls } from './runningCalls.ts'
import { watchStage } from './watchStage.ts'

/** Options of the server for one client over two streams. */
export type McpStdioOptions = Pick<McpParts, 'context' | 'profile' | 'onError'> & {
  readonly input: Readable
  readonly output: Writable
  readonly signal: AbortSignal
}

/**
 * Serves the tools over two streams, until the client disconnects or the signal is aborted, and no call is in
 * progress.
 */
export async function serveMcpStdio(options: McpStdioOptions): Promise<{ readonly closed: Promise<void> }> {
  const { input, output, onError } = options
  const disconnected = new AbortController()
  for (const end of ['end', 'close']) input.once(end, () => disconnected.abort())
  for (const end of ['error', 'close']) output.on(end, () => disconnected.abort())
  const signal = AbortSignal.any([options.signal, disconnected.signal])
  const calls = createRunningCalls()
  const servers = new Set<ReturnType<typeof createMcpServer>>()
  const stage = await watchStage({
    ...options,
    signal,
    onChange: () => {
      for (const server of servers) server.sendToolListChanged()
    },
  })
  const open = () => {
    const server = createMcpServer({ ...options, stage, calls })
    servers.add(server)
    server.server.onclose = () => servers.delete(server)
    return server
  }
  const transport = new StdioServerTransport(input, output)
  const handle = serveStdio(open, { transport, onerror: onError })
  const close = async () => {
    await stage.watch()
    await handle.close()
    await calls.idle()
  }
  return { closed: close() }
}
