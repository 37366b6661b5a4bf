import { BardoError } from '@bardo/core'
import { BaseError, type Hex, isHex, RpcRequestError } from 'viem'

/** Words by which nodes say that the code that was called failed, and not they themselves. */
const executionWords =
  /revert|out of ?gas|invalid opcode|opcode not found|bad jump|invalid jump|stack|EVM error/i

/** The bytes that a call reverted with, where the node says that it was the call that failed; else undefined. */
export function revertOf(error: unknown): Hex | undefined {
  const found = rpcError(error)
  if (!found) return undefined
  if (found.code !== 3 && !executionWords.test(found.details)) return undefined
  const data: unknown = found.data
  return isHex(data) ? data : '0x'
}

/** Whether the node does not know a method, or does not offer it. */
export function isMethodMissing(error: unknown): boolean {
  const found = rpcError(error)
  return (
    found !== undefined &&
    ([-32601, -32004].includes(found.code) || /method .*(not|unknown)|not supported/i.test(found.details))
  )
}

/** Whether the node answered, and answered that it will not. */
export function isComplaint(error: unknown): boolean {
  return rpcError(error) !== undefined
}

/** The node did not answer, or said that it cannot. */
export function unavailable(cause: unknown): BardoError {
  if (cause instanceof BardoError) return cause
  const details = cause instanceof BaseError ? [cause.shortMessage, cause.details] : [`${cause}`]
  return new BardoError('The node does not answer.', {
    code: 'RPC_UNAVAILABLE',
    details: details.filter((line) => line !== undefined && line !== ''),
    remedy: 'Try again, or use another node.',
    cause,
  })
}

/** The node answered what no node should. */
export function malformedAnswer(method: string, found: string): BardoError {
  return new BardoError('The node gave an answer that cannot be read.', {
    code: 'RPC_MALFORMED',
    details: [`to ${method}`, found],
    remedy: 'Use another node.',
  })
}

/** Does something with a node, and turns whatever it throws into an error of ours. */
export async function asking<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask()
  } catch (error) {
    throw unavailable(error)
  }
}

/** What a node says went wrong, through whatever transport it came. */
type NodeComplaint = { readonly code: number; readonly details: string; readonly data: unknown }

function rpcError(error: unknown): NodeComplaint | undefined {
  let inner = error
  while (inner instanceof BardoError) inner = inner.cause
  if (!(inner instanceof BaseError)) return undefined
  const found = inner.walk((cause) => cause instanceof RpcRequestError) ?? inner.walk(hasCode)
  if (!hasCode(found)) return undefined
  const details = found instanceof BaseError ? found.details : `${found}`
  return { code: found.code, details, data: 'data' in found ? found.data : undefined }
}

function hasCode(error: unknown): error is { readonly code: number } {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'number'
}
