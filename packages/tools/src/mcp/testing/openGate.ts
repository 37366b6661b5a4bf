import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream'
import { text } from 'node:stream/consumers'

/** An access point to a server for a client that cannot be given a token or tool names. */
export type Gate = AsyncDisposable & { readonly url: string }

/** The name that the client uses, our name for it, and the input of a tool. */
export type Alias = { readonly theirs: string; readonly ours: string; readonly input?: object }

/** Forwards every request, adds the token and replaces the client's names by ours. */
export async function openGate(to: string, token: string, aliases: readonly Alias[]): Promise<Gate> {
  const { hostname, port, pathname } = new URL(to)
  const gate = createServer(async (incoming, answer) => {
    const { method, url: path } = incoming
    const body = replaceNames(await text(incoming), aliases)
    const headers = { ...headersOf(incoming, body), authorization: `Bearer ${token}` }
    const outgoing = request({ hostname, port, method, path, headers })
    outgoing.once('error', () => answer.destroy())
    outgoing.once('response', (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers)
      pipeline(response, answer, () => undefined)
    })
    outgoing.end(body)
  })
  await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve))
  const { port: listeningPort } = gate.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${listeningPort}${pathname}`,
    async [Symbol.asyncDispose]() {
      gate.closeAllConnections()
      await new Promise((resolve) => gate.close(resolve))
    },
  }
}

function headersOf({ headers }: IncomingMessage, body: string) {
  const { 'transfer-encoding': _, ...rest } = headers
  return body === '' ? rest : { ...rest, 'content-length': Buffer.byteLength(body) }
}

function replaceNames(body: string, aliases: readonly Alias[]): string {
  const alias = aliases.find(({ theirs }) => body.includes(JSON.stringify(theirs)))
  if (!alias) return body
  const message = JSON.parse(body)
  const { ours, input } = alias
  const name = message.method === 'resources/read' ? { uri: ours } : { name: ours }
  message.params = { ...message.params, ...name, ...(input && { arguments: input }) }
  return JSON.stringify(message)
}
