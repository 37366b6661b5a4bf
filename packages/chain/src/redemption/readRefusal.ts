import * as contracts from '@bardo/contracts'
import type { Refusal } from '@bardo/core'
import { type Abi, BaseError, decodeErrorResult, type Hex, isHex } from 'viem'
import { accountAbi, managerAbi } from '../accounts/abi.ts'

/** Every error of ours and of the framework's. Plain reasons (`Error(string)`) viem knows itself. */
const abi: Abi = [
  ...managerAbi,
  ...accountAbi,
  ...Object.values(contracts).flatMap((contract): Abi => contract.abi),
]

/** The refusal in a failed call's error, if the node gave its bytes. */
export function readRefusal(error: unknown): Refusal | undefined {
  const data = revertData(error)
  if (!data) return undefined
  try {
    const { errorName, args = [] } = decodeErrorResult({ abi, data })
    return { name: errorName, args, data }
  } catch {
    return { name: 'unknown', args: [], data }
  }
}

/** The bytes that a call reverted with, from wherever viem and the node have put them. */
function revertData(error: unknown): Hex | undefined {
  let current: unknown = error
  for (let depth = 0; depth < 12 && current instanceof Error; depth += 1) {
    const data: unknown = 'data' in current ? current.data : undefined
    if (isHex(data) && data.length >= 10) return data
    current = current instanceof BaseError || 'cause' in current ? current.cause : undefined
  }
  return undefined
}
