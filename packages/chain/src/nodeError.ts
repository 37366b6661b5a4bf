import { BardoError } from '@bardo/core'
import { BaseError, type Hex, isHex, RpcRequestError } from 'viem'

/** Patterns by which nodes report that the called code failed, not the node itself. */
const executionErrorPattern =
  /revert|out of ?gas|invalid opcode|opcode not found|bad jump|invalid jump|stack|EVM error/i

/** The revert data of a call, if the node reports that the call failed; otherwise undefined. */
export function revertOf(error: unknown): Hex | undefined {
  const rpc = rpcError(error)
  if (!rpc) return undefined
  if (rpc.code !== 3 && !executionErrorPattern.test(rpc.details)) return undefined
  const data: unknown = rpc.data
  return isHex(data) ? data : '0x'
}

/** Whether the node does not support a method. */
export function isMethodMissing(error: unknown): boolean {
  const rpc = rpcError(error)
  return (
    rpc !== undefined &&
    ([-32601, -32004].includes(rpc.code) || /method .*(not|unknown)|not supported/i.test(rpc.details))
  )
}

/** Whether the node answered with an error. */
export function isComplaint(error: unknown): boolean {
  return rpcError(error) !== undefined
}

/** The node did not answer, or answered that it is unavailable. */
export function unavailable(cause: unknown): BardoError {
  if (cause instanceof BardoError) return cause
  const details = cause instanceof BaseError ? [cause.shortMessage, cause.details] : [`${cause}`]
  return new BardoError('The RPC node does not answer.', {
    code: 'RPC_UNAVAILABLE',
    details: details.filter((line) => line !== undefined && line !== ''),
    remedy: 'Try again, or use another node.',
    cause,
  })
}

/** The node gave a malformed answer. */
export function malformedAnswer(method: string, answer: string): BardoError {
  return new BardoError('The RPC node returned a malformed answer.', {
    code: 'RPC_MALFORMED',
    details: [`method: ${method}`, answer],
    remedy: 'Use another node.',
  })
}

/** Calls a node and turns any failure into a `BardoError`. */
export async function withNodeErrors<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask()
  } catch (error) {
    throw unavailable(error)
  }
}

/** The error of a node, whatever the transport. */
type NodeComplaint = { readonly code: number; readonly details: string; readonly data: unknown }

function rpcError(error: unknown): NodeComplaint | undefined {
  let inner = error
  while (inner instanceof BardoError) inner = inner.cause
  if (!(inner instanceof BaseError)) return undefined
  const rpc = inner.walk((cause) => cause instanceof RpcRequestError) ?? inner.walk(hasCode)
  if (!hasCode(rpc)) return undefined
  const details = rpc instanceof BaseError ? rpc.details : `${rpc}`
  return { code: rpc.code, details, data: 'data' in rpc ? rpc.data : undefined }
}

function hasCode(error: unknown): error is { readonly code: number } {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'number'
}
