import { BardoError } from '@bardo/core'
import type { Store, Transaction } from '@bardo/store'
import type { Hash } from 'viem'
import { z } from 'zod'
import type { Replicant } from '../replicants/family.ts'

/** A child as its parent remembers it. */
type StoredReplicant = Replicant & {
  readonly id: Hash
  /** What it was given of its parent's runway, for good. */
  readonly runwayCents: bigint
}

/** Where a Golem comes from, and who comes from it. */
export type StoredFamily = {
  /** How many Golems before it left their testament to the next. */
  readonly generation: number
  /** Of a successor: the dead Golem whose testament it inherited. */
  readonly ancestor?: Hash
  /** Of a child: whose it is, what it was given, and its own time in Unix seconds. */
  readonly birth?: {
    readonly parent: Hash
    readonly runwayCents: bigint
    readonly start: number
    readonly end: number
  }
  readonly replicants: readonly StoredReplicant[]
}

const familyKey = 'family'
const alone: StoredFamily = { generation: 0, replicants: [] }
const hash = z.templateLiteral(['0x', z.string()])

const schema: z.ZodType<StoredFamily> = z.object({
  generation: z.int(),
  ancestor: hash.exactOptional(),
  birth: z.object({ parent: hash, runwayCents: z.bigint(), start: z.int(), end: z.int() }).exactOptional(),
  replicants: z.array(
    z.object({
      id: hash,
      delegationHash: hash,
      dailyCents: z.bigint(),
      expiresAt: z.bigint(),
      status: z.enum(['living', 'ending', 'ended']),
      runwayCents: z.bigint(),
    }),
  ),
})

/** A Golem's family as it is stored; one that nobody wrote of is the first of its kind, and without children. */
export async function readFamily({ grimoire }: Pick<Store, 'grimoire'>, golem: Hash): Promise<StoredFamily> {
  const entry = await grimoire.get(golem, familyKey)
  if (!entry) return alone
  const parsed = schema.safeParse(entry.body)
  if (parsed.success) return parsed.data
  throw new BardoError('The database holds a family that Bardo did not write.', {
    code: 'STORE_CORRUPT',
    details: parsed.error.issues.slice(0, 5).map(({ path, message }) => `${path.join('.')}: ${message}`),
    docsPath: 'store.md#backup',
  })
}

/** What a family's children were given of their parent's runway, in cents. */
export function givenTo({ replicants }: StoredFamily): bigint {
  return replicants.reduce((sum, { runwayCents }) => sum + runwayCents, 0n)
}

/** Writes a family for the first time, as part of a birth. */
export async function writeFamily(
  { grimoire }: Pick<Store, 'grimoire'>,
  golem: Hash,
  family: StoredFamily,
): Promise<void> {
  await grimoire.put({ golem, key: familyKey, kind: 'family', body: family })
}

/** Changes a family together with whatever else `change` writes. Of two who do so at once, one is told to try again. */
export function changeFamily(
  store: Pick<Store, 'transaction'>,
  golem: Hash,
  change: (family: StoredFamily, transaction: Transaction) => Promise<StoredFamily>,
): Promise<StoredFamily> {
  return store.transaction(async (transaction) => {
    // The Golem's row is what they wait for each other at.
    const row = await transaction.golems.find(golem)
    if (!row || !(await transaction.golems.save(row)))
      throw new BardoError('Somebody else is writing this Golem.', { code: 'STORE_UNAVAILABLE' })
    const family = await change(await readFamily(transaction, golem), transaction)
    await writeFamily(transaction, golem, family)
    return family
  })
}
