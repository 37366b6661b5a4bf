import { createRequire } from 'node:module'
import { BardoError } from '@bardo/core'
import { type Hex, isHex } from 'viem'

const require = createRequire(import.meta.url)

/** The creation bytecode in a compiler artifact of a protocol's package. */
export function artifact(path: string): Hex {
  const { bytecode } = require(path) as { bytecode?: unknown }
  // Hardhat leaves `__$…$__` as the placeholder of a library, which is not hex either.
  if (!isHex(bytecode)) throw new BardoError(`No deployable bytecode in ${path}.`, { code: 'INTERNAL' })
  return bytecode
}
