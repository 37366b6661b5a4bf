import type { SigningMoment } from '@bardo/core'
import { type Address, isAddressEqual } from 'viem'
import { z } from 'zod'
import { OutdatedOperation } from './OutdatedOperation.ts'
import { addressSchema } from './schemas.ts'

const cents = z.string().regex(/^\d{1,30}$/)

/** The floors of vaults, as they are stored. */
export const floorsSchema = z.array(
  z.strictObject({ vault: addressSchema, floor: z.string().regex(/^\d{1,39}$/) }),
)

/** The portfolio and the price of gas when an operation was prepared, as they are stored. */
export const momentSchema = z.strictObject({
  portfolioCents: cents.optional(),
  nativeCents: cents.optional(),
})

/** A moment as JSON. */
export function momentToJson({ portfolioCents, nativeCents }: SigningMoment): z.output<typeof momentSchema> {
  return {
    ...(portfolioCents !== undefined && { portfolioCents: `${portfolioCents}` }),
    ...(nativeCents !== undefined && { nativeCents: `${nativeCents}` }),
  }
}

/** A moment from JSON. */
export function momentFrom({ portfolioCents, nativeCents }: z.output<typeof momentSchema>): SigningMoment {
  return {
    ...(portfolioCents !== undefined && { portfolioCents: BigInt(portfolioCents) }),
    ...(nativeCents !== undefined && { nativeCents: BigInt(nativeCents) }),
  }
}

/** The keys of the co-signers that a strategy names, as they are stored. */
export const membersSchema = z
  .array(z.strictObject({ name: z.string().max(64), key: addressSchema }))
  .default([])

type Members = ReadonlyMap<string, Address>

/** Members as JSON. */
export function membersToJson(members: Members): z.output<typeof membersSchema> {
  return [...members].map(([name, key]) => ({ name, key }))
}

/** Members from JSON. */
export function membersFrom(stored: z.output<typeof membersSchema>): Members {
  return new Map(stored.map(({ name, key }) => [name, key]))
}

/** Throws if a name stands for another key than when the operation was prepared. A stored row may be forged. */
export function requireSameMembers(stored: Members, now: Members): void {
  for (const name of new Set([...stored.keys(), ...now.keys()])) {
    const [was, is] = [stored.get(name), now.get(name)]
    if (was && is && isAddressEqual(was, is)) continue
    throw new OutdatedOperation(
      'A co-signer has another key than when it was prepared.',
      `${name}, prepared: ${was ?? 'none'}`,
      `now: ${is ?? 'none'}`,
    )
  }
}

/** By how much a price may move between an operation and its signature. */
const tolerancePercent = 10n

/**
 * Throws if the stored figures would sign for more than today's: a larger portfolio makes larger actions, a lower price of
 * gas a larger allowance. A stored row may be forged.
 */
export function requireSameMoment(stored: SigningMoment, now: SigningMoment): void {
  const portfolio = [stored.portfolioCents ?? 0n, now.portfolioCents ?? 0n] as const
  if (portfolio[0] * 100n > portfolio[1] * (100n + tolerancePercent))
    throw new OutdatedOperation(
      'The portfolio is smaller than when it was prepared.',
      `prepared: ${portfolio[0]} cents`,
      `now: ${portfolio[1]} cents`,
    )
  const native = [stored.nativeCents, now.nativeCents] as const
  if (native[0] !== undefined && native[0] * 100n < (native[1] ?? 0n) * (100n - tolerancePercent))
    throw new OutdatedOperation(
      'The price of gas has risen since it was prepared.',
      `prepared: ${native[0]} cents`,
      `now: ${native[1]} cents`,
    )
}
