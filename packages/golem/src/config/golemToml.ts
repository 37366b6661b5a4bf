import { defaultRotationPolicy } from '@bardo/core'
import { isAddress } from 'viem'
import { z } from 'zod'

const address = z.string().refine((text) => isAddress(text), 'is no address, or its checksum is wrong')
const url = z.url({ protocol: /^https?$/, error: 'is no http(s) address' })
const file = z.string().min(1, 'names no file')
const whole = z.int()
const dollars = z.number().min(0).max(1_000_000)
const model = z.string().min(1, 'names no model')

/** The four bounds of a local key. Origin: spec 000 §1, `DelegationBounds`. */
const bounds = z.strictObject({
  max_daily_spend_usd: z.number().positive().max(2_000_000),
  max_total_calls: whole.positive(),
  expires_at: whole.positive(),
  allowed_targets: z.array(address).min(1, 'allows no contract at all'),
})

/** What may stand in golem.toml. No key for a secret: those come from the environment. */
export const golemToml = z.strictObject({
  /** Part of a path, so it is no path. */
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'takes small letters, digits and dashes'),
  chain: whole.positive(),
  rpc: url.optional(),
  strategy: file.default('STRATEGY.md'),
  heartbeat: file.default('HEARTBEAT.md'),
  custody: z.strictObject({
    mode: z.enum(['delegation', 'embedded', 'localKey']),
    bounds: bounds.optional(),
  }),
  rotation: z
    .strictObject({
      max_operations: whole.positive().default(defaultRotationPolicy.maxOperations),
      max_age_seconds: whole.positive().default(Number(defaultRotationPolicy.maxAgeSeconds)),
      budget_floor_bps: whole.min(0).max(10_000).default(Number(defaultRotationPolicy.budgetFloorBps)),
    })
    .prefault({}),
  /** What it lives on, and what a day of its life costs, in dollars. */
  economy: z
    .strictObject({
      runway_usd: dollars.default(30),
      /** Without a model nothing is inferred. */
      inference_usd: dollars.optional(),
      gas_usd: dollars.default(0.5),
      compute_usd: dollars.default(0.5),
      data_usd: dollars.default(0),
    })
    .prefault({}),
  trading: z
    .strictObject({
      /** Of the Uniswap pools, in hundredths of a basis point. */
      pool_fee: whole.min(0).max(100_000).default(500),
    })
    .prefault({}),
  /** A model behind an OpenAI-compatible endpoint. Without it the strategy is run by rules alone. */
  model: z
    .strictObject({
      endpoint: url,
      t0: model,
      t1: model,
      t2: model,
      /** Another model, asked for a second opinion when the stakes are high. */
      second: model,
    })
    .optional(),
})

/** golem.toml as it is read. */
export type GolemToml = z.infer<typeof golemToml>
