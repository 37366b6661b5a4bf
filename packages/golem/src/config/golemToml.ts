import { defaultRotationPolicy } from '@bardo/core'
import { isAddress } from 'viem'
import { z } from 'zod'
import { constitutionToml } from './constitutionToml.ts'

const address = z.string().refine((text) => isAddress(text), 'is not an address, or its checksum is wrong')
const url = z.url({ protocol: /^https?$/, error: 'must start with http:// or https://' })
const file = z.string().min(1, 'is empty; it must name a file')
const whole = z.int()
const dollars = z.number().min(0).max(1_000_000)
const model = z.string().min(1, 'is empty; it must name a model')

/** The four limits of a local key. */
const bounds = z.strictObject({
  max_daily_spend_usd: z.number().positive().max(2_000_000),
  max_total_calls: whole.positive(),
  expires_at: whole.positive(),
  allowed_targets: z.array(address).min(1, 'is empty; it must allow at least one contract'),
})

/** Dollars for a million tokens: what a model reads, and what it writes. */
const tokenPrice = z.strictObject({
  input: z.number().min(0).max(10_000),
  output: z.number().min(0).max(10_000),
})

/** The prices of the tiers, and of the model for a second opinion. */
export const modelPrices = z.strictObject({
  t0: tokenPrice.optional(),
  t1: tokenPrice.optional(),
  t2: tokenPrice.optional(),
  second: tokenPrice.optional(),
})

/** The schema of golem.toml. It has no field for a secret: secrets come from the environment. */
export const golemToml = z.strictObject({
  /** A setting of release 0.1 without effect. New files with it are refused; stored ones are read. */
  id: z.unknown().optional(),
  chain: whole.positive(),
  rpc: url.optional(),
  /** Relative to golem.toml. */
  strategy: file.optional(),
  heartbeat: file.optional(),
  custody: z.strictObject({
    mode: z.enum(['delegation', 'embedded', 'localKey']),
    bounds: bounds.optional(),
  }),
  /** How its calls reach the chain. */
  submission: z
    .strictObject({
      route: z.enum(['direct', 'userOperation']).default('direct'),
      bundler: url.optional(),
      paymaster: url.optional(),
    })
    .prefault({}),
  /** Its session keys. */
  keys: z
    .strictObject({
      curve: z.enum(['secp256k1', 'p256']).default('secp256k1'),
    })
    .prefault({}),
  /** Limits that the owner enacts and signs, beside those of the strategy. */
  constitution: constitutionToml.optional(),
  rotation: z
    .strictObject({
      max_operations: whole.positive().default(defaultRotationPolicy.maxOperations),
      max_age_seconds: whole.positive().default(Number(defaultRotationPolicy.maxAgeSeconds)),
      budget_floor_bps: whole.min(0).max(10_000).default(Number(defaultRotationPolicy.budgetFloorBps)),
    })
    .prefault({}),
  /** The allotment of a signed window, and the prices of a day of compute and data, in dollars. */
  economy: z
    .strictObject({
      runway_usd: dollars.default(30),
      /** Settings of release 0.1 without effect: the ledger counts both. Stored files with them are read. */
      inference_usd: z.unknown().optional(),
      gas_usd: z.unknown().optional(),
      compute_usd: dollars.default(0.5),
      data_usd: dollars.default(0),
    })
    .prefault({}),
  trading: z
    .strictObject({
      /** The fee of the Uniswap pools, in hundredths of a basis point. */
      pool_fee: whole.min(0).max(100_000).default(500),
    })
    .prefault({}),
  /**
   * A model of the operator's list, or an OpenAI-compatible endpoint of the Golem's own, which never gets a
   * key of the
   * operator's. Without this table, only rules run the strategy.
   */
  model: z
    .strictObject({
      use: z
        .string()
        .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'may contain only lower-case letters, digits and dashes')
        .optional(),
      endpoint: url.optional(),
      t0: model,
      t1: model,
      t2: model,
      /** A second model for a second opinion when the stakes are high. Without it such an action waits. */
      second: model.optional(),
      /** The prices of the tokens. A price of the operator's list for its own endpoint takes precedence. */
      prices: modelPrices.optional(),
    })
    .refine(({ use, endpoint }) => (use === undefined) !== (endpoint === undefined), {
      message: 'must set exactly one of "use" (an entry of the operator’s list) and "endpoint"',
    })
    .optional(),
})

/** The parsed golem.toml. */
export type GolemToml = z.infer<typeof golemToml>
