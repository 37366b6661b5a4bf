import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A recorded question. */
type RecordedQuestion = {
  readonly model: string
  readonly body: string
  readonly authorization: string | undefined
}

/** A local OpenAI-compatible server; each test replaces `answer`. */
export async function startModelServer() {
  const asked: RecordedQuestion[] = []
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request)
    const { model } = JSON.parse(body) as { model: string }
    asked.push({ model, body, authorization: request.headers.authorization })
    handle.answer(response, model)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const handle = {
    url: `http://127.0.0.1:${port}/v1`,
    asked,
    answer: (response: ServerResponse, _model: string): void => completion('{}')(response),
    stop: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
  return handle
}

/** Answers with a chat completion of `content`. */
export function completion(content: string) {
  return (response: ServerResponse): void => {
    response.setHeader('content-type', 'application/json')
    const choices = [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }]
    response.end(
      JSON.stringify({
        id: 'x',
        object: 'chat.completion',
        choices,
        usage: { prompt_tokens: 40, completion_tokens: 2, total_tokens: 42 },
      }),
    )
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
