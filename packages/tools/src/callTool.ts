import { BardoError, canonicalJson } from '@bardo/core'
import { type ActionEvent, eventToJson, type ToolNumbers } from '@bardo/golem/events'
import { namesOf } from '@bardo/golem/requests'
import type { Golem, Json } from '@bardo/store'
import { type Hash, sha256, stringToHex } from 'viem'
import { findSubject } from './findSubject.ts'
import { nameRemedy } from './nameAddresses.ts'
import { parseInput } from './parseInput.ts'
import { requireStage } from './requireStage.ts'
import type { ToolContext } from './toolContext.ts'
import type { ToolDefinition } from './toolDefinition.ts'
import { runAfter, runBefore } from './toolHooks.ts'

/** Options of a tool call, beside its input. */
export type ToolCallOptions = {
  /** Called when a step is reached: its number, the number of steps, its name. */
  readonly onProgress?: ((done: number, of: number, step: string) => void | Promise<void>) | undefined
}

/** An unfinished call can be claimed again after this time. The slowest tool waits for a few blocks. */
const claimTimeoutMs = 120_000

/**
 * Calls a tool. Every call goes through here: it parses the input, finds the Golem, checks its stage of life,
 * returns
 * the stored result of an idempotency key that was used before, and records the start, the steps and the end
 * of a tool
 * that has an effect.
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
  const input = parseInput(tool.input, raw, tool.example)
  const subject = await findSubject(context, tool.subject(input))
  const key = keyOf(input)
  if (key === undefined) return run(context, tool, input, { id: crypto.randomUUID(), subject, onProgress })
  const claim = `${subject.id}:${tool.name}:${key}`
  const request: Hash = sha256(stringToHex(canonicalJson(input)))
  // The id includes the request's hash: a released key that is used again for another request must not find
  // the intents
  // of the first.
  const id = `${claim}:${request.slice(2, 18)}`
  return once(context, tool, { claim, request }, () => run(context, tool, input, { id, subject, onProgress }))
}

/** Performs a call once per idempotency key; a second call gets the result of the first. */
async function once<Input, Output>(
  { store }: ToolContext,
  tool: ToolDefinition<Input, Output>,
  { claim: id, request }: { readonly claim: string; readonly request: Hash },
  perform: () => Promise<Output>,
): Promise<Output> {
  const claim = await store.idempotencyKeys.claim(id, request, claimTimeoutMs)
  if (claim.type === 'done') return checked(tool, claim.result)
  if (claim.type === 'mismatch')
    throw new BardoError('The idempotency key belongs to another call.', {
      code: 'INVALID_INPUT',
      remedy: 'Use a new idempotencyKey for a new call.',
      docsPath: 'tools.md#idempotency',
    })
  if (claim.type === 'running')
    throw new BardoError('The call is still running.', {
      code: 'OUTCOME_UNKNOWN',
      outcome: 'unknown',
      remedy: 'Send the same call with the same idempotencyKey again in a few seconds.',
      docsPath: 'tools.md#idempotency',
    })
  try {
    const output = await perform()
    await store.idempotencyKeys.finish(id, output as Json)
    return output
  } catch (error) {
    // A call without any effect is forgotten. Any other call can be sent again, and continues under the same
    // intents.
    const hasNoEffect = error instanceof BardoError && error.outcome === 'not-sent'
    await (hasNoEffect ? store.idempotencyKeys.abandon(id) : store.idempotencyKeys.release(id))
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
  const { name, progressSteps, eventFields } = tool
  requireStage(tool, subject)
  const hooked = { id: call, tool: name, capability: tool.capability, golem: subject.id, input }
  await runBefore(context.hooks, hooked)
  // A read-only tool records nothing: reading must not write to the audit chain.
  const record = async (event: ActionEvent) => {
    if (eventFields)
      await context.store.events.append([{ golem: subject.id, name: event.name, body: eventToJson(event) }])
  }
  await record({ name: 'tool:start', tool: name, call, input: eventFields?.start(input, subject) ?? {} })
  const end = (output: ToolNumbers) => record({ name: 'tool:end', tool: name, call, output })
  let done = 0
  const progress = async (step: string) => {
    const index = progressSteps.indexOf(step, done)
    if (index < 0)
      throw new BardoError('A tool reported a progress step that it does not declare.', { code: 'INTERNAL' })
    done = index + 1
    await onProgress?.(done, progressSteps.length, step)
    await record({ name: 'tool:progress', tool: name, call, note: step })
  }
  try {
    const output = checked(tool, await tool.run(context, input, { id: call, subject, progress }))
    await end({ ok: true, ...eventFields?.end(output) })
    await runAfter(context.hooks, hooked, { type: 'done', output })
    return output
  } catch (error) {
    await end({ ok: false, code: error instanceof BardoError ? error.code : 'UNKNOWN' })
    await runAfter(context.hooks, hooked, { type: 'failed', error })
    throw nameRemedy(error, namesOf(context.book))
  }
}

/**
 * Checks a result against the tool's output schema. A result that does not match is an internal error and is
 * not returned.
 */
function checked<Output>(
  { name, output }: Pick<ToolDefinition<never, Output>, 'name' | 'output'>,
  result: unknown,
): Output {
  const parsed = output.safeParse(result)
  if (parsed.success) return parsed.data
  throw new BardoError(`${name} returned a result that does not match its output schema.`, {
    code: 'INTERNAL',
    details: parsed.error.issues.slice(0, 5).map(({ path, message }) => `${path.join('.')}: ${message}`),
  })
}

function keyOf(input: unknown): string | undefined {
  const isKeyed = typeof input === 'object' && input !== null && 'idempotencyKey' in input
  return isKeyed && typeof input.idempotencyKey === 'string' ? input.idempotencyKey : undefined
}
