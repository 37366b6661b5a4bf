import type { Hex } from 'viem'
import { encodeDelegations, readDelegations } from '../caveats/terms/abi.ts'
import { createCanonicalReader } from '../caveats/terms/canonicalReader.ts'
import { checkDelegations } from './checkDelegations.ts'
import { contextLimits } from './contextLimits.ts'
import type { Delegation } from './delegation.ts'
import { malformed } from './malformed.ts'

/**
 * Encodes a permission context: `abi.encode(Delegation[])`, leaf first.
 *
 * @example
 * const context = encodeContext([leaf, root])
 * await manager.write.redeemDelegations([[context], [mode], [execution]])
 */
export function encodeContext(links: readonly Delegation[]): Hex {
  checkDelegations(links)
  const context = encodeDelegations(links)
  requireSize(context)
  return context
}

/**
 * Decodes a permission context and checks that its links are connected; refuses every non-canonical encoding.
 *
 * @example
 * const links = decodeContext(grant.context)
 * const hashes = links.map((link) => hashDelegation(link))
 */
export function decodeContext(context: Hex): readonly Delegation[] {
  if (!/^0x(?:[0-9a-f]{2})*$/i.test(context)) throw malformed('The permission context is not hex.')
  requireSize(context)
  const reader = createCanonicalReader(context.toLowerCase() as Hex, 'context', malformed)
  const links = readDelegations(reader, contextLimits)
  checkDelegations(links)
  return links
}

function requireSize(context: Hex): void {
  const size = (context.length - 2) / 2
  if (size > contextLimits.bytes) {
    throw malformed('The permission context is too large.', [`${size} bytes, at most ${contextLimits.bytes}`])
  }
}
