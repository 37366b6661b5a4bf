import type { Store } from '@bardo/store'
import { getAddress, type Hash } from 'viem'
import { z } from 'zod'
import type { Action } from './action.ts'
import type { CapabilityLedger } from './capability.ts'

const address = z.string().transform((text) => getAddress(text))
const bytes = z.templateLiteral(['0x', z.string()])
const optionalAction: z.ZodType<Action | undefined> = z
  .object({
    chainId: z.int(),
    account: address,
    calls: z.array(z.object({ target: address, value: z.bigint(), data: bytes })),
  })
  .optional()

/** A Golem's capability ledger over the store. The store counts milliseconds, the runtime counts seconds. */
export function storeLedger({ capabilities }: Pick<Store, 'capabilities'>, golem: Hash): CapabilityLedger {
  return {
    add: ({ action, policy, valueLimitCents, mintedAt, ...rest }, built, { most, since }) =>
      capabilities.mint(
        {
          capabilityId: rest.capabilityId,
          golem,
          actionHash: action,
          policyHash: policy,
          valueLimit: valueLimitCents,
          mintedAtTick: rest.mintedAtTick,
          expiresAtTick: rest.expiresAtTick,
          mintedAt: mintedAt * 1_000,
          action: { ...built, calls: built.calls.map((call) => ({ ...call })) },
        },
        { most, since: since * 1_000 },
      ),
    async find(capabilityId) {
      const found = await capabilities.find(capabilityId)
      if (!found) return undefined
      const {
        actionHash,
        policyHash: policy,
        valueLimit,
        mintedAt,
        action: built,
        ...rest
      } = found.capability
      const capability = {
        ...rest,
        action: actionHash,
        policy,
        valueLimitCents: valueLimit,
        mintedAt: mintedAt / 1_000,
      }
      return { capability, built: optionalAction.parse(built), consumedBy: found.consumedBy }
    },
    consume: (capabilityId, intentId) => capabilities.consume(capabilityId, intentId),
  }
}
