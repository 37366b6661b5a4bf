import { formatNumber } from '../../format/number.ts'
import { blockNumberTerms } from '../terms/metamaskTerms.ts'
import { demand, size, slice } from './bytes.ts'
import { metamaskKind } from './metamaskKind.ts'
import { coversThresholds } from './thresholds.ts'

/** Block numbers, both exclusive; zero for no limit. */
export type BlockNumberTerms = { readonly afterThreshold: bigint; readonly beforeThreshold: bigint }

/** BlockNumber: valid strictly between two blocks. */
export const blockNumber = metamaskKind<BlockNumberTerms>({
  name: 'BlockNumber',
  encode: blockNumberTerms.encode,
  decode: blockNumberTerms.decode,
  covers: (parent, child) =>
    coversThresholds(
      { after: parent.afterThreshold, before: parent.beforeThreshold },
      { after: child.afterThreshold, before: child.beforeThreshold },
      (block) => `block ${formatNumber(block)}`,
    ),
  describe({ afterThreshold, beforeThreshold }) {
    const parts = []
    if (afterThreshold > 0n) parts.push(`after block ${formatNumber(afterThreshold)}`)
    if (beforeThreshold > 0n) parts.push(`before block ${formatNumber(beforeThreshold)}`)
    return parts.length > 0 ? `only ${parts.join(' and ')}` : 'in any block'
  },
  before(terms, hook) {
    demand(size(terms) === 32, 'BlockNumberEnforcer:invalid-terms-length', 'Sign terms of 32 bytes.')
    const after = BigInt(slice(terms, 0, 16))
    const before = BigInt(slice(terms, 16, 32))
    const now = hook.blockNumber
    demand(
      after === 0n || now > after,
      'BlockNumberEnforcer:early-delegation',
      () => `Wait until after block ${formatNumber(after)}; the current block is ${formatNumber(now)}.`,
    )
    demand(
      before === 0n || now < before,
      'BlockNumberEnforcer:expired-delegation',
      () =>
        `Ask the owner to sign again: the delegation ended at block ${formatNumber(before)}; the current block is ${formatNumber(now)}.`,
    )
  },
})
