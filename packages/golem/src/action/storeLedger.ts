import type { Store } from '@bardo/store'
import { getAddress } from 'viem'
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

/** The capability ledger over the store. */
export function storeLedger({ capabilities }: Pick<Store, 'capabilities'>): CapabilityLedger {
  return {
    add: (capability, built, rate) =>
      capabilities.mint(
        { ...capability, action: { ...built, calls: built.calls.map((call) => ({ ...call })) } },
        rate,
      ),
    async find(capabilityId) {
      const row = await capabilities.find(capabilityId)
      if (!row) return undefined
      const { action, ...capability } = row.capability
      return { capability, built: optionalAction.parse(action), consumedBy: row.consumedBy }
    },
    consume: (capabilityId, intentId) => capabilities.consume(capabilityId, intentId),
  }
}
