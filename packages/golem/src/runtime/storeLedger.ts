import type { Store } from '@bardo/store'
import type { Hash } from 'viem'
import type { CapabilityLedger } from '../capability/capability.ts'

/** A Golem's capabilities in the store, which counts milliseconds where the runtime counts seconds. */
export function storeLedger({ capabilities }: Pick<Store, 'capabilities'>, golem: Hash): CapabilityLedger {
  return {
    add: ({ action, policy, valueLimitCents, mintedAt, ...rest }, { most, since }) =>
      capabilities.mint(
        {
          permitId: rest.permitId,
          golem,
          actionHash: action,
          policyHash: policy,
          valueLimit: valueLimitCents,
          mintedAtTick: rest.mintedAtTick,
          expiresAtTick: rest.expiresAtTick,
          mintedAt: mintedAt * 1_000,
        },
        { most, since: since * 1_000 },
      ),
    async find(permitId) {
      const found = await capabilities.find(permitId)
      if (!found) return undefined
      const { actionHash: action, policyHash: policy, valueLimit, mintedAt, ...rest } = found.capability
      const capability = { ...rest, action, policy, valueLimitCents: valueLimit, mintedAt: mintedAt / 1_000 }
      return { capability, consumedBy: found.consumedBy }
    },
    consume: (permitId, intentId) => capabilities.consume(permitId, intentId),
  }
}
