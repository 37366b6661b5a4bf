import { BardoError, deathTriggers, type Phase, phases, upgradeNames } from '@bardo/core'
import { z } from 'zod'
import { observeReasons } from '../observeOnly/observeOnly.ts'
import type { Death } from './death.ts'
import { deathSteps } from './death.ts'
import type { GolemState, Pending } from './golemState.ts'

const hash = z.templateLiteral(['0x', z.string()])
const moment = z.number()
const mood = z.object({
  pleasure: z.number(),
  arousal: z.number(),
  dominance: z.number(),
  at: moment,
})
const reasons = Object.keys(observeReasons) as (keyof typeof observeReasons)[]

const recovery = z.discriminatedUnion('type', [
  z.object({ type: z.literal('acting') }),
  z.object({
    type: z.literal('observing'),
    reason: z.enum(reasons),
    since: moment,
    attempts: z.int(),
    retryAt: moment,
  }),
])

const intention = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('swap'),
    from: z.string(),
    to: z.string(),
    cents: z.bigint(),
    because: z.string(),
  }),
  z.object({
    type: z.enum(['deposit', 'withdraw']),
    asset: z.string(),
    cents: z.bigint(),
    because: z.string(),
  }),
  z.object({
    type: z.literal('addLiquidity'),
    assets: z.tuple([z.string(), z.string()]),
    cents: z.bigint(),
    downBps: z.number(),
    upBps: z.number(),
    tokenId: z.bigint().exactOptional(),
    because: z.string(),
  }),
  z.object({
    type: z.enum(['removeLiquidity', 'collect']),
    assets: z.tuple([z.string(), z.string()]),
    tokenId: z.bigint(),
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
      type: z.enum(['awake', 'fallingAsleep', 'asleep', 'waking']),
      number: z.int(),
      since: moment,
    }),
    mood,
    health: z.enum(['healthy', 'low', 'critical', 'revoked']).optional(),
    warnedEnd: moment.optional(),
    pending: z
      .object({ intentId: z.string(), intention, capabilityId: z.string(), valueCents: z.bigint() })
      .optional(),
    chainRefusals: z.array(moment),
    prices: z.array(z.object({ symbol: z.string(), price: z.bigint(), at: moment })).default([]),
    ownerSignatures: z.int().default(0),
    nextTickAt: moment,
    intervalSeconds: z.number(),
    version: z.int(),
  })
  .transform(
    ({ health, warnedEnd, pending, ...state }): GolemState => ({
      ...state,
      health,
      warnedEnd,
      pending,
    }),
  )

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

/** Parses a stored state. */
export const readStoredState = (stored: unknown): GolemState => parsed(stateSchema, stored)

/** The schema of a stored preview. */
const previewSchema: z.ZodType<Previewed> = z.object({ intention, valueCents: z.bigint() })

/** The action of a capability, and its maximum cost. */
export type Previewed = Pick<Pending, 'intention' | 'valueCents'>

/** Parses a stored preview. */
export const readStoredPreview = (stored: unknown): Previewed => parsed(previewSchema, stored)

/** Parses a stored death; undefined if there is none. */
export const readStoredDeath = (stored: unknown): Death | undefined =>
  stored === undefined ? undefined : parsed(deathSchema, stored)

function parsed<Value>(schema: z.ZodType<Value>, stored: unknown): Value {
  const result = schema.safeParse(upgradeNames(stored))
  if (result.success) return result.data
  throw new BardoError('The stored state of a Golem is invalid.', {
    code: 'STORE_CORRUPT',
    details: result.error.issues.slice(0, 5).map(({ path, message }) => `${path.join('.')}: ${message}`),
    docsPath: 'store.md#backup',
  })
}

/** The phase of a number from the chain. */
export function phaseAt(number: number): Phase {
  const phase = phases[number]
  if (phase) return phase
  throw new BardoError('The vitals contain an unknown phase.', {
    code: 'RPC_MALFORMED',
    details: [`${number}`],
  })
}
