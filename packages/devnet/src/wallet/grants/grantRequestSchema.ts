import { z } from 'zod'
import { address, chainId } from '../rpcTypes.ts'
import { permissionSchema } from './permissionSchema.ts'

const addresses = z.object({ addresses: z.array(address).min(1) })

const rule = z.discriminatedUnion(
  'type',
  [
    z.object({ type: z.literal('expiry'), data: z.object({ timestamp: z.int().positive() }) }),
    z.object({ type: z.literal('payee'), data: addresses }),
    z.object({ type: z.literal('redeemer'), data: addresses }),
  ],
  'the wallet does not support this rule',
)

export type GrantRule = z.output<typeof rule>

/**
 * A request of `wallet_requestExecutionPermissions`, checked as MetaMask checks it. `now` is the block time.
 */
export function grantRequestSchema(now: number, supported: ReadonlyMap<string, readonly string[]>) {
  return z
    .object({
      chainId,
      from: address.nullish().transform((from) => from ?? undefined),
      to: address,
      permission: permissionSchema(now),
      rules: z.array(rule),
    })
    .superRefine(({ permission, rules }, context) => {
      const object = (path: (string | number)[], message: string) =>
        context.addIssue({ code: 'custom', path, message })

      const rulesAllowed = supported.get(permission.type)
      if (!rulesAllowed) object(['permission', 'type'], 'this chain has no contract that enforces this type')
      for (const [index, { type, data }] of rules.entries()) {
        if (rules.findIndex((other) => other.type === type) !== index)
          object(['rules', index], `a second ${type} rule`)
        if (rulesAllowed && !rulesAllowed.includes(type))
          object(['rules', index], `not for ${permission.type}`)
        if (type === 'payee' && permission.type.startsWith('erc20') && data.addresses.length > 1) {
          object(['rules', index], 'an ERC-20 permission takes one payee')
        }
        if (type !== 'expiry') continue
        if (data.timestamp <= now) object(['rules', index], 'the expiry must be in the future')
        if ('startTime' in permission.data && permission.data.startTime >= data.timestamp) {
          object(['permission', 'data', 'startTime'], 'must be before the expiry')
        }
      }
    })
}

/** A request that can be granted as it is; the owner chooses the account if the page did not. */
export type GrantRequest = z.output<ReturnType<typeof grantRequestSchema>>
