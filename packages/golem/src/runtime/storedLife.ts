import { BardoError, type Phase, phases } from '@bardo/core'
import { z } from 'zod'
import type { Death } from '../death/death.ts'
import { deathSteps } from '../death/death.ts'
import { deathTriggers } from '../death/deathTrigger.ts'
import type { GolemState, Pending } from '../heartbeat/golemState.ts'
import { observeReasons } from '../recovery/recovery.ts'

const hash = z.templateLiteral(['0x', z.string()])
const moment = z.number()
const mood = z.object({
  pleasure: z.number(),
  arousal: z.number(),
  dominance: z.number(),
  at: moment,
})
const reasons = Object.keys(observeReasons) as (keyof typeof observeReasons)[]

const recovery = z.discriminatedUnion('is', [
  z.object({ is: z.literal('acting') }),
  z.object({
    is: z.literal('observing'),
    reason: z.enum(reasons),
    since: moment,
    attempts: z.int(),
    retryAt: moment,
  }),
])

const intention = z.discriminatedUnion('is', [
  z.object({
    is: z.literal('swap'),
    from: z.string(),
    to: z.string(),
    cents: z.bigint(),
    because: z.string(),
  }),
  z.object({
    is: z.enum(['deposit', 'withdraw']),
    asset: z.string(),
    cents: z.bigint(),
    because: z.string(),
  }),
])

const stateSchema = z
  .object({
    golem: z.string(),
    tick: z.int(),
    phase: z.enum(phases),
    survivalScore: z.int().default(0),
    recovery,
    dream: z.object({
      is: z.enum(['awake', 'fallingAsleep', 'asleep', 'waking']),
      number: z.int(),
      since: moment,
    }),
    mood,
    health: z.enum(['healthy', 'low', 'critical', 'revoked']).optional(),
    pending: z
      .object({ intentId: z.string(), intention, permitId: z.string(), valueCents: z.bigint() })
      .optional(),
    chainRefusals: z.array(moment),
    prices: z.array(z.object({ symbol: z.string(), price: z.bigint(), at: moment })).default([]),
    ownerSignatures: z.int().default(0),
    nextTickAt: moment,
    intervalSeconds: z.number(),
    version: z.int(),
  })
  .transform(({ health, pending, ...state }): GolemState => ({ ...state, health, pending }))

const deathSchema: z.ZodType<Death> = z.object({
  golem: z.string(),
  trigger: z.enum(deathTriggers),
  begunAt: moment,
  settleUntil: moment,
  stepsDone: z.int(),
  impossible: z.array(z.object({ step: z.enum(deathSteps.map(([, step]) => step)), because: z.string() })),
  unwound: z.object({
    settled: z.array(z.object({ id: z.string(), recoveredCents: z.bigint(), transaction: hash })),
    deferred: z.array(z.object({ id: z.string(), reason: z.string() })),
    slippageCostCents: z.bigint(),
  }),
  version: z.int(),
})

/** A stored state as the runtime knows it. */
export const readStoredState = (stored: unknown): GolemState => parsed(stateSchema, stored)

/** A stored intention, and what it may cost. */
const previewSchema: z.ZodType<Previewed> = z.object({ intention, valueCents: z.bigint() })

/** What a permit was given for. */
export type Previewed = Pick<Pending, 'intention' | 'valueCents'>

/** A stored preview as the runtime knows it. */
export const readStoredPreview = (stored: unknown): Previewed => parsed(previewSchema, stored)

/** A stored death as the runtime knows it; undefined for none. */
export const readStoredDeath = (stored: unknown): Death | undefined =>
  stored === undefined ? undefined : parsed(deathSchema, stored)

function parsed<Value>(schema: z.ZodType<Value>, stored: unknown): Value {
  const result = schema.safeParse(stored)
  if (result.success) return result.data
  throw new BardoError('The database holds a life that Bardo did not write.', {
    code: 'STORE_CORRUPT',
    details: result.error.issues.slice(0, 5).map(({ path, message }) => `${path.join('.')}: ${message}`),
    docsPath: 'store.md#backup',
  })
}

/** The phase of a number of the chain's. */
export function phaseAt(number: number): Phase {
  const phase = phases[number]
  if (phase) return phase
  throw new BardoError('The vitals show a phase that there is not.', {
    code: 'RPC_MALFORMED',
    details: [`${number}`],
  })
}
