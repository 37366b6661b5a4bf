import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The outages of a node: broken connection, status 500, no answer, not JSON, or meaningless JSON. */
export const outages = ['broken', 'error', 'silent', 'noise', 'garbage'] as const

/** A proxy in front of a node that can simulate an outage, for all methods or for one. */
export async function startNodeProxy(node: string) {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString('utf8')
    const { method, id } = JSON.parse(body) as { method: string; id: number }
    if (proxy.outage && (!proxy.only || proxy.only === method)) return fail(response, id)
    const answer = await fetch(node, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    })
    response.setHeader('content-type', 'application/json').end(await answer.text())
  })

  function fail(response: ServerResponse, id: number): void {
    switch (proxy.outage) {
      case 'broken':
        response.destroy()
        return
      case 'error':
        response.writeHead(500).end('out of order')
        return
      case 'noise':
        response.end('<html>Welcome to the airport</html>')
        return
      case 'garbage':
        response
          .setHeader('content-type', 'application/json')
          .end(JSON.stringify({ jsonrpc: '2.0', id, result: '0xcafe' }))
        return
      default:
    }
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const proxy = {
    url: `http://127.0.0.1:${port}`,
    outage: undefined as (typeof outages)[number] | undefined,
    /** The only affected method; undefined for all. */
    only: undefined as string | undefined,
    stop: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
  return proxy
}
