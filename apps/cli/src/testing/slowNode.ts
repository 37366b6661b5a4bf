import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** A proxy in front of a node that can be slow, or leave one method unanswered. */
export type SlowNode = AsyncDisposable & {
  readonly url: string
  /** The delay before each answer. */
  delayMs: number
  /** The method that is never answered. */
  hangs: string | undefined
}

/** Starts the proxy. */
export async function startSlowNode(node: string): Promise<SlowNode> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString('utf8')
    if (slow.hangs !== undefined && body.includes(`"${slow.hangs}"`)) return
    await pause(slow.delayMs)
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(node, { method: 'POST', body, headers }).catch(() => undefined)
    if (!answer) return void response.destroy()
    response.writeHead(answer.status, headers).end(await answer.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const slow: SlowNode = {
    url: `http://127.0.0.1:${port}`,
    delayMs: 0,
    hangs: undefined,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return slow
}
