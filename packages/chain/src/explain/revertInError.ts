import { decodeRevert, type Revert } from '@bardo/core'
import { revertOf } from '../nodeError.ts'

/** Decodes the revert in an error that viem threw; undefined if the node itself failed. */
export function revertInError(error: unknown): Revert | undefined {
  const data = revertOf(error)
  return data === undefined ? undefined : decodeRevert(data)
}
