import type { Delegation } from '@bardo/core'
import { maxUint256 } from 'viem'
import { z } from 'zod'

const hex = z.templateLiteral(['0x', z.string().regex(/^(?:[0-9a-fA-F]{2})*$/)])
const address = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]{40}$/)])
const hash = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]{64}$/)])
const unsigned = z.bigint().min(0n).max(maxUint256)

/** A delegation from the store or from a wallet's page. */
export const delegationSchema: z.ZodType<Delegation> = z.strictObject({
  delegate: address,
  delegator: address,
  authority: hash,
  caveats: z.array(z.strictObject({ enforcer: address, terms: hex, args: hex })),
  salt: unsigned,
  signature: hex,
})
