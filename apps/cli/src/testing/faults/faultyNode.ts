import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'

const callSchema = z.looseObject({
  id: z.unknown(),
  method: z.string(),
  params: z.array(z.unknown()).default([]),
})

/** One JSON-RPC request to a node. */
type NodeRequest = z.output<typeof callSchema> & {
  /** The number of the call; used to fail every second one. */
  readonly number: number
  /** Sends this call, or another one, to the real node. */
  ask(method?: string, params?: readonly unknown[]): Promise<unknown>
}

/** What a node does instead of answering: another result, another status, or no answer at all. */
type NodeReply =
  | { readonly type: 'result'; readonly result: unknown }
  | { readonly type: 'raw'; readonly status: number; readonly body: string }
  | { readonly type: 'dropped' }
  | { readonly type: 'hangs' }

/** A fault of a node. Undefined: this call gets the right answer. */
export type NodeFault = (call: NodeRequest) => Promise<NodeReply | undefined>

/** A JSON-RPC proxy whose fault can be set and removed. */
export type FaultyNode = AsyncDisposable & { readonly url: string; fault: NodeFault | undefined }

/** Starts a proxy in front of a node. */
export async function startFaultyNode(node: string): Promise<FaultyNode> {
  let number = 0
  const askNode = async (method: string, params: readonly unknown[]): Promise<string> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const headers = { 'content-type': 'application/json' }
    return (await fetch(node, { method: 'POST', body, headers })).text()
  }
  const answerShape = z.looseObject({ result: z.unknown() })
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const call = callSchema.parse(JSON.parse(Buffer.concat(chunks).toString('utf8')))
    number += 1
    const ask = async (method = call.method, params: readonly unknown[] = call.params) =>
      answerShape.parse(JSON.parse(await askNode(method, params))).result
    try {
      const reply = await faulty.fault?.({ ...call, number, ask })
      if (reply) return send(response, call.id, reply)
      const answer = z.looseObject({}).parse(JSON.parse(await askNode(call.method, call.params)))
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ ...answer, id: call.id }))
    } catch {
      response.destroy()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const faulty: FaultyNode = {
    url: `http://127.0.0.1:${port}`,
    fault: undefined,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return faulty
}

function send(response: ServerResponse, id: unknown, reply: NodeReply): void {
  if (reply.type === 'hangs') return
  if (reply.type === 'dropped') return void response.destroy()
  if (reply.type === 'raw') return void response.writeHead(reply.status).end(reply.body)
  const body = JSON.stringify({ jsonrpc: '2.0', id, result: reply.result })
  response.setHeader('content-type', 'application/json').end(body)
}

const sends = 'eth_sendRawTransaction'
const raw = (status: number, body: string): NodeReply => ({ type: 'raw', status, body })
const rpcError = (code: number, message: string) =>
  raw(200, JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code, message } }))
const result = (value: unknown): NodeReply => ({ type: 'result', result: value })
const onSend =
  (reply: NodeReply): NodeFault =>
  async ({ method }) =>
    method === sends ? reply : undefined
const nonceOff =
  (change: (nonce: number) => number): NodeFault =>
  async ({ method, ask }) =>
    method === 'eth_getTransactionCount'
      ? result(`0x${Math.max(0, change(Number(await ask()))).toString(16)}`)
      : undefined
/** Reads of the latest block return one that is five blocks old. */
const stale: NodeFault = async ({ method, params, ask }) => {
  const head = Number(await ask('eth_blockNumber', []))
  const old = `0x${Math.max(0, head - 5).toString(16)}`
  if (method === 'eth_blockNumber') return result(old)
  if (!params.includes('latest')) return undefined
  return result(
    await ask(
      method,
      params.map((value) => (value === 'latest' ? old : value)),
    ),
  )
}

/** The faults of a node, by name. */
export const nodeFaults: Readonly<Record<string, NodeFault>> = {
  'delay-3s': async () => void (await pause(3_000)),
  'delay-12s': async () => void (await pause(12_000)),
  'half-dropped': async ({ number }) => (number % 2 === 0 ? { type: 'dropped' } : undefined),
  'half-dropped-after': async ({ number, ask }) => {
    if (number % 2 !== 0) return undefined
    await ask()
    return { type: 'dropped' }
  },
  'status-429': async () => raw(429, 'Too Many Requests'),
  'status-502-html': async () => raw(502, '<html>Bad Gateway</html>'),
  'status-200-html': async () => raw(200, '<html>Welcome</html>'),
  'limit-exceeded': async () => rpcError(-32_005, 'limit exceeded'),
  'send-hangs': onSend({ type: 'hangs' }),
  'send-504': onSend(raw(504, 'Gateway Timeout')),
  'send-timed-out': onSend(rpcError(-32_000, 'request timed out')),
  'send-swallowed': async ({ method }) => (method === sends ? result(`0x${'00'.repeat(32)}`) : undefined),
  'stale-5': stale,
  'half-stale': async (call) => (call.number % 2 === 0 ? stale(call) : undefined),
  'nonce-plus-3': nonceOff((nonce) => nonce + 3),
  'nonce-minus-2': nonceOff((nonce) => nonce - 2),
  'nonce-0': nonceOff(() => 0),
  'no-receipts': async ({ method }) =>
    method === 'eth_getTransactionReceipt' || method === 'eth_getTransactionByHash'
      ? result(null)
      : undefined,
  'chain-id-1': async ({ method }) => (method === 'eth_chainId' ? result('0x1') : undefined),
}
