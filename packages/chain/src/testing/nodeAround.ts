import { createPublicClient, custom, http, MethodNotFoundRpcError, type PublicClient } from 'viem'

/** A request to a node, and a function that forwards it. */
export type NodeRequest = {
  readonly method: string
  readonly params: readonly unknown[]
  pass(): Promise<unknown>
}

/** A client of a node with an interceptor that may answer differently. Records the methods. */
export function nodeAround(
  url: string,
  answer: (request: NodeRequest) => Promise<unknown> = ({ pass }) => pass(),
) {
  const node = createPublicClient({ transport: http(url, { retryCount: 0 }) })
  const asked: string[] = []
  const request = ({ method, params = [] }: { method: string; params?: readonly unknown[] }) => {
    asked.push(method)
    const pass = () => node.request({ method, params } as Parameters<typeof node.request>[0])
    return answer({ method, params, pass })
  }
  const client: PublicClient = createPublicClient({
    transport: custom({ request }, { retryCount: 0 }),
    cacheTime: 0,
  })
  return { client, asked }
}

/** A client of a node that lacks some methods. */
export function nodeWithout(url: string, ...methods: readonly string[]) {
  return nodeAround(url, async ({ method, pass }) => {
    if (!methods.includes(method)) return pass()
    throw new MethodNotFoundRpcError(new Error(`the method ${method} does not exist`), { method })
  })
}
