import type { Delegation, RevertLocation } from '@bardo/core'
import { hashDelegation } from '@bardo/core'
import { HybridDeleGator, ICaveatEnforcer } from '@metamask/delegation-abis'
import {
  type Address,
  decodeFunctionData,
  type Hex,
  isAddressEqual,
  isHex,
  type PublicClient,
  toFunctionSelector,
} from 'viem'
import type { NextBlock } from './simulate.ts'

/** A call with its inner calls, in the format of `callTracer`. */
export type CallFrame = {
  readonly from?: Address | undefined
  readonly to?: Address | undefined
  readonly input: Hex
  readonly output?: Hex | undefined
  readonly error?: string | undefined
  readonly calls?: readonly CallFrame[] | undefined
}

/** A mined transaction's calls; undefined if the node cannot trace. */
export function traceTransaction(client: PublicClient, hash: Hex): Promise<CallFrame | undefined> {
  return requestTrace(client, 'debug_traceTransaction', [hash, { tracer: 'callTracer' }])
}

/** The inner calls of a call, in a simulated block. */
export function traceCall(
  client: PublicClient,
  call: { readonly from: Address; readonly to: Address; readonly data: Hex },
  { parent, number, time }: NextBlock,
): Promise<CallFrame | undefined> {
  const hex = (value: bigint) => `0x${value.toString(16)}`
  const blockOverrides = { number: hex(number), time: hex(time) }
  return requestTrace(client, 'debug_traceCall', [
    call,
    hex(parent),
    { tracer: 'callTracer', blockOverrides },
  ])
}

async function requestTrace(
  client: PublicClient,
  method: string,
  params: readonly unknown[],
): Promise<CallFrame | undefined> {
  const request = client.request as (args: { method: string; params: readonly unknown[] }) => Promise<unknown>
  try {
    const frame = await request({ method, params })
    return isFrame(frame) ? frame : undefined
  } catch {
    // A trace only adds detail to an explanation, which also works without one.
    return undefined
  }
}

function isFrame(value: unknown): value is CallFrame {
  if (typeof value !== 'object' || value === null || !('input' in value) || !isHex(value.input)) return false
  return (
    !('calls' in value) ||
    value.calls === undefined ||
    (Array.isArray(value.calls) && value.calls.every(isFrame))
  )
}

/** All calls to an address in a trace, outer before inner. */
export function framesTo(frame: CallFrame, to: Address): readonly CallFrame[] {
  const inside = (frame.calls ?? []).flatMap((inner) => framesTo(inner, to))
  return frame.to && isAddressEqual(frame.to, to) ? [frame, ...inside] : inside
}

const executeFromExecutor = selectorOf(HybridDeleGator, 'executeFromExecutor')
const isValidSignature = selectorOf(HybridDeleGator, 'isValidSignature')

function selectorOf(abi: typeof HybridDeleGator, name: 'executeFromExecutor' | 'isValidSignature'): Hex {
  const item = abi.find((entry) => entry.type === 'function' && entry.name === name)
  return item?.type === 'function' ? toFunctionSelector(item) : '0x'
}

/** Which context of a call to the manager failed, and where in it. */
export type FailedContext = {
  /** Undefined if the call failed before any context was processed. */
  readonly context: number | undefined
  readonly place: RevertLocation
}

/** Where a call to the manager failed; undefined if it did not fail. */
export function findRevert(
  frame: CallFrame,
  contexts: readonly { readonly links: readonly Delegation[] }[],
): FailedContext | undefined {
  if (!frame.error) return undefined
  const calls = frame.calls ?? []
  const failed = calls.at(-1)
  if (!failed?.error || !failed.to) return { context: undefined, place: { type: 'manager' } }
  const executed = calls.filter(({ input, error }) => !error && input.startsWith(executeFromExecutor)).length
  if (failed.input.startsWith(executeFromExecutor)) {
    return { context: executed, place: { type: 'execution', target: deepest(failed, failed.to) } }
  }
  if (failed.input.startsWith(isValidSignature)) return signatureOf(failed.to, contexts)
  return (
    caveatOf(failed.to, failed.input, contexts, executed) ?? {
      context: undefined,
      place: { type: 'manager' },
    }
  )
}

function signatureOf(
  signer: Address,
  contexts: readonly { readonly links: readonly Delegation[] }[],
): FailedContext {
  const places = contexts.flatMap(({ links }, context) =>
    links.map(({ delegator }, link) => ({ context, link, delegator })),
  )
  const match = places.find(({ delegator }) => isAddressEqual(delegator, signer))
  return { context: match?.context, place: { type: 'signature', link: match?.link, signer } }
}

/** The innermost contract that failed: the callers above it only pass its error on. */
function deepest(frame: CallFrame, account: Address): Address {
  const inner = frame.calls?.findLast(({ error }) => error !== undefined)
  return inner?.to ? deepest(inner, inner.to) : account
}

function caveatOf(
  enforcer: Address,
  input: Hex,
  contexts: readonly { readonly links: readonly Delegation[] }[],
  executed: number,
): FailedContext | undefined {
  const hook = hookIn(input)
  if (!hook) return undefined
  const linkIn = (links: readonly Delegation[]) =>
    links.findIndex((delegation) => hashDelegation(delegation) === hook.delegationHash)
  // beforeHook and afterHook run context by context; beforeAllHook and afterAllHook run for all contexts at
  // once.
  const turn = {
    beforeHook: executed,
    afterHook: executed - 1,
    beforeAllHook: undefined,
    afterAllHook: undefined,
  }[hook.name]
  const context = turn ?? contexts.findIndex(({ links }) => linkIn(links) >= 0)
  const links = contexts[context]?.links ?? []
  const link = linkIn(links)
  const caveat = links[link]?.caveats.findIndex(
    (one) => isAddressEqual(one.enforcer, enforcer) && one.terms.toLowerCase() === hook.terms,
  )
  if (caveat === undefined || caveat < 0) return undefined
  return { context, place: { type: 'caveat', link, caveat, enforcer, hook: hook.name } }
}

function hookIn(input: Hex) {
  try {
    const { functionName, args } = decodeFunctionData({ abi: ICaveatEnforcer, data: input })
    return { name: functionName, terms: args[0].toLowerCase(), delegationHash: args[4] }
  } catch {
    return undefined
  }
}
