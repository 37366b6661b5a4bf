import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { createMcpServer, type McpOptions, type OpenServer } from './createMcpServer.ts'
import { watchStage } from './watchStage.ts'

/**
 * Serves the tools over standard input and output, until the client is gone or the signal is aborted. Nothing else may
 * write to standard output meanwhile.
 */
export async function serveMcpStdio(
  options: McpOptions & { readonly signal: AbortSignal; readonly onError: (error: Error) => void },
): Promise<void> {
  const open = new Set<OpenServer>()
  const handle = serveStdio(
    async () => {
      const opened = await createMcpServer(options)
      open.add(opened)
      return opened.server
    },
    { onerror: options.onError },
  )
  await watchStage(options, (stage) => {
    for (const { show } of open) show(stage)
  })
  await handle.close()
}
