import { formatMoment } from '../../format/time.ts'
import { timestampTerms } from '../terms/metamaskTerms.ts'
import { demand, size, slice } from './bytes.ts'
import { metamaskKind } from './metamaskKind.ts'
import { coversThresholds } from './thresholds.ts'

/** Unix seconds, both exclusive; zero for no limit. */
export type TimestampTerms = { readonly afterThreshold: number; readonly beforeThreshold: number }

/** Timestamp: valid strictly between two moments. */
export const timestamp = metamaskKind<TimestampTerms>({
  name: 'Timestamp',
  encode: timestampTerms.encode,
  decode: timestampTerms.decode,
  covers: (parent, child) =>
    coversThresholds(
      { after: BigInt(parent.afterThreshold), before: BigInt(parent.beforeThreshold) },
      { after: BigInt(child.afterThreshold), before: BigInt(child.beforeThreshold) },
      formatMoment,
    ),
  describe({ afterThreshold, beforeThreshold }) {
    const parts = []
    if (afterThreshold > 0) parts.push(`after ${formatMoment(BigInt(afterThreshold))}`)
    if (beforeThreshold > 0) parts.push(`before ${formatMoment(BigInt(beforeThreshold))}`)
    return parts.length > 0 ? `only ${parts.join(' and ')}` : 'at any time'
  },
  window: ({ beforeThreshold }) => (beforeThreshold > 0 ? { last: BigInt(beforeThreshold) - 1n } : undefined),
  before(terms, hook) {
    demand(size(terms) === 32, 'TimestampEnforcer:invalid-terms-length', 'Sign terms of 32 bytes.')
    const after = BigInt(slice(terms, 0, 16))
    const before = BigInt(slice(terms, 16, 32))
    const now = hook.timestamp
    demand(
      after === 0n || now > after,
      'TimestampEnforcer:early-delegation',
      () => `Wait until after ${formatMoment(after)}; the time is ${formatMoment(now)}.`,
    )
    demand(
      before === 0n || now < before,
      'TimestampEnforcer:expired-delegation',
      () =>
        `Ask the owner to sign again: the delegation ended at ${formatMoment(before)}; the time is ${formatMoment(now)}.`,
    )
  },
})
