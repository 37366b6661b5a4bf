import type { Delegation, RevertPlace } from '@bardo/core'
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

/** One call inside another, as nodes with `callTracer` show it. */
export type CallFrame = {
  readonly from?: Address | undefined
  readonly to?: Address | undefined
  readonly input: Hex
  readonly output?: Hex | undefined
  readonly error?: string | undefined
  readonly calls?: readonly CallFrame[] | undefined
}

/** A mined transaction's calls; undefined where the node does not trace. */
export function traceTransaction(client: PublicClient, hash: Hex): Promise<CallFrame | undefined> {
  return traced(client, 'debug_traceTransaction', [hash, { tracer: 'callTracer' }])
}

/** A call's calls, in a block that never is. */
export function traceCall(
  client: PublicClient,
  call: { readonly from: Address; readonly to: Address; readonly data: Hex },
  { parent, number, time }: NextBlock,
): Promise<CallFrame | undefined> {
  const hex = (value: bigint) => `0x${value.toString(16)}`
  const blockOverrides = { number: hex(number), time: hex(time) }
  return traced(client, 'debug_traceCall', [call, hex(parent), { tracer: 'callTracer', blockOverrides }])
}

async function traced(
  client: PublicClient,
  method: string,
  params: readonly unknown[],
): Promise<CallFrame | undefined> {
  const request = client.request as (args: { method: string; params: readonly unknown[] }) => Promise<unknown>
  try {
    const frame = await request({ method, params })
    return isFrame(frame) ? frame : undefined
  } catch {
    // A trace makes an explanation better; without it there still is one.
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

/** All calls to an address in a trace, the outer before the inner. */
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
  /** Undefined where it failed before any context was looked at on its own. */
  readonly context: number | undefined
  readonly place: RevertPlace
}

/** Where a failed call to the manager failed; undefined where it did not. */
export function placeOfRevert(
  frame: CallFrame,
  contexts: readonly { readonly links: readonly Delegation[] }[],
): FailedContext | undefined {
  if (!frame.error) return undefined
  const calls = frame.calls ?? []
  const failed = calls.at(-1)
  if (!failed?.error || !failed.to) return { context: undefined, place: { is: 'manager' } }
  const executed = calls.filter(({ input, error }) => !error && input.startsWith(executeFromExecutor)).length
  if (failed.input.startsWith(executeFromExecutor)) {
    return { context: executed, place: { is: 'execution', target: deepest(failed, failed.to) } }
  }
  if (failed.input.startsWith(isValidSignature)) return signatureOf(failed.to, contexts)
  return (
    caveatOf(failed.to, failed.input, contexts, executed) ?? { context: undefined, place: { is: 'manager' } }
  )
}

function signatureOf(
  signer: Address,
  contexts: readonly { readonly links: readonly Delegation[] }[],
): FailedContext {
  const places = contexts.flatMap(({ links }, context) =>
    links.map(({ delegator }, link) => ({ context, link, delegator })),
  )
  const found = places.find(({ delegator }) => isAddressEqual(delegator, signer))
  return { context: found?.context, place: { is: 'signature', link: found?.link, signer } }
}

/** The innermost contract that failed: whoever is above it only hands its error on. */
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
  // The hooks around an execution come in turn, context by context; the outer ones come for all contexts at once.
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
  return { context, place: { is: 'caveat', link, caveat, enforcer, hook: hook.name } }
}

function hookIn(input: Hex) {
  try {
    const { functionName, args } = decodeFunctionData({ abi: ICaveatEnforcer, data: input })
    return { name: functionName, terms: args[0].toLowerCase(), delegationHash: args[4] }
  } catch {
    return undefined
  }
}
