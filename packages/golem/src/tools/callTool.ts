import { BardoError } from '@bardo/core'
import type { Golem, Json } from '@bardo/store'
import { type Hash, sha256, stringToHex } from 'viem'
import { canonicalJson } from '../capability/canonicalJson.ts'
import { eventToJson } from '../events/eventToJson.ts'
import type { ActionEvent, ToolNumbers } from '../events/golemEvent.ts'
import { findSubject } from './findSubject.ts'
import { parseInput } from './parseInput.ts'
import { requireStage } from './requireStage.ts'
import type { ToolContext } from './toolContext.ts'
import type { ToolDefinition } from './toolDefinition.ts'

/** How a tool is called, beside its input. */
export type ToolCallOptions = {
  /** Hears of each step that is reached: how many of how many, and which. */
  readonly onProgress?: ((done: number, of: number, step: string) => void | Promise<void>) | undefined
}

/** A call that nobody finished may be taken up again after so long. Origin: ours; the slowest waits for a few blocks. */
const patienceMs = 120_000

/**
 * The one way to call a tool: its input is parsed, the Golem found, its stage of life looked at, a call that was made
 * before answered as it was then, and start, steps and end told.
 *
 * @example
 * const { health } = await callTool(context, checkPermissionHealth, { golem: 'alpha' })
 */
export async function callTool<Input, Output>(
  context: ToolContext,
  tool: ToolDefinition<Input, Output>,
  raw: unknown,
  { onProgress }: ToolCallOptions = {},
): Promise<Output> {
  const input = parseInput(tool.input, raw)
  const subject = await findSubject(context, tool.subject(input))
  const key = keyOf(input)
  if (key === undefined) return run(context, tool, input, { id: crypto.randomUUID(), subject, onProgress })
  const claim = `${subject.id}:${tool.name}:${key}`
  const request: Hash = sha256(stringToHex(canonicalJson(input)))
  // Named by what is asked too: a key that was given back must not lead another call to what the first one left.
  const id = `${claim}:${request.slice(2, 18)}`
  return once(context, tool, { claim, request }, () => run(context, tool, input, { id, subject, onProgress }))
}

/** Has an effect once for a key; a second call gets the first one's result. */
async function once<Input, Output>(
  { store }: ToolContext,
  tool: ToolDefinition<Input, Output>,
  { claim: id, request }: { readonly claim: string; readonly request: Hash },
  perform: () => Promise<Output>,
): Promise<Output> {
  const claim = await store.idempotencyKeys.claim(id, request, patienceMs)
  if (claim.is === 'done') return checked(tool, claim.result)
  if (claim.is === 'mismatch')
    throw new BardoError('That key stands for another call.', {
      code: 'INVALID_INPUT',
      remedy: 'Take a new key for a new call.',
      docsPath: 'tools.md#calls-that-are-sent-twice',
    })
  if (claim.is === 'running')
    throw new BardoError('That call is still running.', {
      code: 'OUTCOME_UNKNOWN',
      outcome: 'unknown',
      remedy: 'Send it again, with the same key, in a moment.',
      docsPath: 'tools.md#calls-that-are-sent-twice',
    })
  try {
    const output = await perform()
    await store.idempotencyKeys.finish(id, output as Json)
    return output
  } catch (error) {
    // What certainly had no effect is forgotten; the rest is gone on with by whoever sends it again, under its old intents.
    const isNothing = error instanceof BardoError && error.outcome === 'not-sent'
    await (isNothing ? store.idempotencyKeys.abandon(id) : store.idempotencyKeys.release(id))
    throw error
  }
}

type Running = Pick<ToolCallOptions, 'onProgress'> & { readonly id: string; readonly subject: Golem }

async function run<Input, Output>(
  context: ToolContext,
  tool: ToolDefinition<Input, Output>,
  input: Input,
  { id: call, subject, onProgress }: Running,
): Promise<Output> {
  const { name, progressSteps } = tool
  requireStage(tool, subject)
  const tell = (events: readonly ActionEvent[]) =>
    context.store.events.append(
      events.map((event) => ({ golem: subject.id, name: event.name, body: eventToJson(event) })),
    )
  const start: ActionEvent = { name: 'tool:start', tool: name, call, input: tool.told.start(input, subject) }
  // What only looks has nothing to tell before it is over.
  const isTold = tool.capability !== 'read'
  if (isTold) await tell([start])
  const end = (output: ToolNumbers) =>
    tell([...(isTold ? [] : [start]), { name: 'tool:end', tool: name, call, output }])
  let done = 0
  const progress = async (step: string) => {
    const place = progressSteps.indexOf(step, done)
    if (place < 0) throw new BardoError('A tool took a step that it does not have.', { code: 'INTERNAL' })
    done = place + 1
    await onProgress?.(done, progressSteps.length, step)
    if (isTold) await tell([{ name: 'tool:progress', tool: name, call, note: step }])
  }
  try {
    const output = checked(tool, await tool.run(context, input, { id: call, subject, progress }))
    await end({ ok: true, ...tool.told.end(output) })
    return output
  } catch (error) {
    await end({ ok: false, code: error instanceof BardoError ? error.code : 'UNKNOWN' })
    throw error
  }
}

/** A result that is not what was promised is ours to answer for, and goes to nobody. */
function checked<Output>(
  { name, output }: Pick<ToolDefinition<never, Output>, 'name' | 'output'>,
  result: unknown,
): Output {
  const parsed = output.safeParse(result)
  if (parsed.success) return parsed.data
  throw new BardoError(`${name} gave a result that it does not promise.`, {
    code: 'INTERNAL',
    details: parsed.error.issues.slice(0, 5).map(({ path, message }) => `${path.join('.')}: ${message}`),
  })
}

function keyOf(input: unknown): string | undefined {
  const isKeyed = typeof input === 'object' && input !== null && 'idempotencyKey' in input
  return isKeyed && typeof input.idempotencyKey === 'string' ? input.idempotencyKey : undefined
}
