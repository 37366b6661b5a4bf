import { BardoError } from '@bardo/core'
import { z } from 'zod'
import type { Secret } from '../../config/secret.ts'

/** An OpenAI-compatible endpoint, with the deadline and the maximum size of an answer. */
export type ModelEndpoint = {
  /** Up to `/v1`; `/chat/completions` is added. */
  readonly url: string
  readonly key: Secret | undefined
  readonly deadlineMilliseconds: number
  readonly mostBytes: number
}

/** A question: fixed instructions, and data, which is never mixed into them. */
export type Question = { readonly model: string; readonly instructions: string; readonly data: string }

/** The answer: its unparsed text, and the tokens that it used. */
export type ModelAnswer = { readonly content: string; readonly usage: TokenUsage }

/** The tokens that an answer used. */
type TokenUsage = {
  readonly inputTokens: number
  readonly outputTokens: number
  /** The endpoint did not report them: a token for every four characters, rounded up. */
  readonly isEstimated: boolean
}

const tokenCount = z.int().min(0).max(10_000_000)

/** The used part of a completion. */
const completion = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1),
  usage: z.object({ prompt_tokens: tokenCount, completion_tokens: tokenCount }).optional().catch(undefined),
})

const charactersPerToken = 4

/**
 * Asks a model once. It uses plain fetch: the heartbeat is the retry, and an answer needs a deadline and a
 * maximum size,
 * which client libraries do not enforce. Redirects are refused, because they would send the key elsewhere.
 */
export async function askModel(
  endpoint: ModelEndpoint,
  { model, instructions, data }: Question,
): Promise<ModelAnswer> {
  const messages = [
    { role: 'system', content: instructions },
    { role: 'user', content: data },
  ]
  const key = endpoint.key?.reveal()
  const text = await post(endpoint, {
    method: 'POST',
    redirect: 'error',
    signal: AbortSignal.timeout(endpoint.deadlineMilliseconds),
    headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
    body: JSON.stringify({
      model,
      messages,
      temperature: 0,
      stream: false,
      response_format: { type: 'json_object' },
    }),
  })
  const parsed = completion.safeParse(jsonOf(text))
  const [choice] = parsed.data?.choices ?? []
  if (!choice) throw unusable('it is not a chat completion')
  const { content } = choice.message
  const usage = parsed.data?.usage
  const tokensIn = (...texts: readonly string[]) =>
    texts.reduce((sum, { length }) => sum + Math.ceil(length / charactersPerToken), 0)
  return {
    content,
    usage: usage
      ? { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens, isEstimated: false }
      : { inputTokens: tokensIn(instructions, data), outputTokens: tokensIn(content), isEstimated: true },
  }
}

async function post({ url, mostBytes }: ModelEndpoint, request: RequestInit): Promise<string> {
  let response: Response
  try {
    response = await fetch(`${url.replace(/\/+$/, '')}/chat/completions`, request)
  } catch (cause) {
    throw unavailable('no answer', cause)
  }
  if (!response.ok) {
    await response.body?.cancel()
    // A client error stays one, however often the request is repeated.
    const isOurs = response.status >= 400 && response.status < 500 && ![408, 429].includes(response.status)
    throw unavailable(`status ${response.status}`, undefined, !isOurs)
  }
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of response.body ?? []) {
      size += chunk.length
      if (size > mostBytes) break
      chunks.push(chunk)
    }
  } catch (cause) {
    throw unavailable('the answer was incomplete', cause)
  }
  if (size > mostBytes) throw unusable(`it is longer than ${mostBytes} bytes`)
  return Buffer.concat(chunks).toString('utf8')
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function unavailable(why: string, cause?: unknown, retryable = true): BardoError {
  return new BardoError('The model is unavailable.', {
    code: 'MODEL_UNAVAILABLE',
    details: [why],
    retryable,
    cause,
    remedy: 'Check the endpoint and its key.',
  })
}

/** Thrown when an answer is not usable. Its content is not repeated. */
export function unusable(why: string): BardoError {
  return new BardoError('The model’s answer is invalid.', {
    code: 'MODEL_ANSWER_UNUSABLE',
    details: [why],
  })
}
