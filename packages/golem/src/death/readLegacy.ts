import { type DeathSettlement, type InnerSettlement, ownerMustAct } from '@bardo/core'
import type { Store } from '@bardo/store'
import type { Hash } from 'viem'
import { z } from 'zod'
import { testamentKey, testamentSchema } from './inheritTestament.ts'
import { settlementKey } from './settlementOf.ts'
import type { Testament } from './testament.ts'

/** What a dead Golem left, as JSON. */
export type Legacy = {
  /** Null for a Golem whose settlement was never written. */
  readonly settlement: {
    readonly cause: string
    readonly closed: readonly { readonly id: string; readonly cents: string; readonly transaction: string }[]
    readonly open: readonly { readonly id: string; readonly reason: string }[]
    /** Whether money is outside of the owner's account. */
    readonly ownerMustAct: boolean
  } | null
  readonly testament: Testament | null
}

const hash = z.templateLiteral(['0x', z.string()])
const closed = z.array(z.object({ id: z.string(), recoveredCents: z.bigint(), transaction: hash }))
const open = z.array(z.object({ id: z.string(), reason: z.string() }))

const inner = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('delegationExpiry'),
    delegationHash: hash,
    cause: z.enum(['naturalExpiry', 'ownerRevocation', 'callLimitReached']),
    settled: closed,
    open,
  }),
  z.object({
    type: z.literal('sweep'),
    walletId: z.string(),
    manifest: z.object({
      sweepTo: z.string(),
      recoveredCents: z.bigint(),
      positions: z.array(z.string()),
    }),
    settled: closed,
    deferred: open,
  }),
])

const settlement: z.ZodType<DeathSettlement> = z.union([
  inner,
  z.object({
    type: z.literal('economicExhaustion'),
    // JSON has no Infinity: a ratio without costs.
    finalSustainabilityRatio: z
      .number()
      .nullable()
      .transform((ratio) => ratio ?? Number.POSITIVE_INFINITY),
    lifetimeRevenueCents: z.bigint(),
    lifetimeInferenceCents: z.bigint(),
    inner,
  }),
])

/**
 * The settlement and the testament that a death wrote. Undefined before the death wrote them.
 *
 * @example
 * const legacy = await readLegacy(store, golem)
 */
export async function readLegacy(
  { grimoire }: Pick<Store, 'grimoire'>,
  golem: Hash,
): Promise<Legacy | undefined> {
  const [settled, left] = await Promise.all([
    grimoire.get(golem, settlementKey),
    grimoire.get(golem, testamentKey),
  ])
  if (!settled && !left) return undefined
  const read = settlement.safeParse(settled?.body)
  const testament = testamentSchema.safeParse(left?.body)
  return {
    settlement: read.success ? settlementJson(read.data) : null,
    testament: testament.success ? testament.data : null,
  }
}

function settlementJson(whole: DeathSettlement): NonNullable<Legacy['settlement']> {
  const isExhausted = whole.type === 'economicExhaustion'
  const settlementOfCustody: InnerSettlement = isExhausted ? whole.inner : whole
  const isSweep = settlementOfCustody.type === 'sweep'
  return {
    cause: isExhausted ? 'economicExhaustion' : isSweep ? 'sweep' : settlementOfCustody.cause,
    closed: settlementOfCustody.settled.map(({ id, recoveredCents, transaction }) => ({
      id,
      cents: `${recoveredCents}`,
      transaction,
    })),
    open: isSweep ? settlementOfCustody.deferred : settlementOfCustody.open,
    ownerMustAct: ownerMustAct(whole),
  }
}
