/** Calls a tool over HTTP as an agent, or without a token as an unauthorised client. */
export function callMcp(
  { url, token }: { readonly url: string; readonly token?: string },
  name: string,
  input: object = {},
): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: input },
    }),
  })
}
