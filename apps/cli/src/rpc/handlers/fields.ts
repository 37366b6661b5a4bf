import { isAbsolute } from 'node:path'
import { providerNames } from '@bardo/golem'
import { getAddress, isAddress } from 'viem'
import { z } from 'zod'

/** A Golem by name or id. */
export const golemField = z.string().min(1).max(200)

/** An address. */
export const addressField = z
  .string()
  .refine((text) => isAddress(text), 'must be an address')
  .transform((text) => getAddress(text))

/** The name of a new Golem. */
export const nameField = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(/^[\w .-]+$/, 'may only contain letters, digits, spaces, dots, underscores and dashes')

/** The file with the owner's key. The path goes over the socket, never the key. */
export const ownerKeyField = z.string().max(4_096).refine(isAbsolute, 'must be an absolute path').optional()

/** A partial approval of a request. */
export const lessField = z
  .strictObject({ amount: z.string().max(50), days: z.int().min(1).max(3_650) })
  .partial()
  .optional()

/** A strategy or a configuration text, up to the strategy compiler's limit. */
export const textField = z.string().max(4_194_304)

/**
 * The wallet provider variables of the process that summons. They go over the socket, which only the owner of the data folder
 * can open.
 */
export const providerField = z
  .record(
    z.string().refine((name) => providerNames.includes(name), 'is not a variable of a provider'),
    z.string().min(1).max(4_096),
  )
  .default({})

/** The route of a new Golem. */
export const routeField = z.strictObject({
  type: z.enum(['direct', 'userOperation']),
  bundler: z
    .url({ protocol: /^https?$/ })
    .max(2_048)
    .optional(),
  paymaster: z
    .url({ protocol: /^https?$/ })
    .max(2_048)
    .optional(),
})
