import { BardoError } from '@bardo/core'
import type { Golem, Store, Transaction } from '@bardo/store'
import type { Hash } from 'viem'
import { z } from 'zod'
import type { Replicant } from './family.ts'

/** A child, as its parent stores it. */
type StoredReplicant = Replicant & {
  readonly id: Hash
  /** The share of its parent's runway that it got permanently. */
  readonly runwayCents: bigint
}

/** A Golem's origin and its children. */
export type StoredFamily = {
  /** The number of Golems before it that passed on a testament. */
  readonly generation: number
  /** For a successor: the dead Golem whose testament it inherited. */
  readonly ancestor?: Hash
  /** For a child: its parent, its share, and its own window in Unix seconds. */
  readonly birth?: {
    readonly parent: Hash
    readonly runwayCents: bigint
    readonly start: number
    readonly end: number
  }
  readonly replicants: readonly StoredReplicant[]
}

const familyKey = 'family'
const noFamily: StoredFamily = { generation: 0, replicants: [] }
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

/** A Golem's stored family; without an entry, a first-generation Golem without children. */
export async function readFamily({ grimoire }: Pick<Store, 'grimoire'>, golem: Hash): Promise<StoredFamily> {
  const entry = await grimoire.get(golem, familyKey)
  if (!entry) return noFamily
  const parsed = schema.safeParse(entry.body)
  if (parsed.success) return parsed.data
  throw new BardoError('The stored family of a Golem is invalid.', {
    code: 'STORE_CORRUPT',
    details: parsed.error.issues.slice(0, 5).map(({ path, message }) => `${path.join('.')}: ${message}`),
    docsPath: 'store.md#backup',
  })
}

/** The children of a Golem that are not dead. */
export async function livingChildren(
  { grimoire, golems }: Pick<Store, 'grimoire' | 'golems'>,
  golem: Hash,
): Promise<readonly Golem[]> {
  const { replicants } = await readFamily({ grimoire }, golem)
  const rows = await Promise.all(replicants.map(({ id }) => golems.find(id)))
  return rows.flatMap((row) => (row && row.status !== 'dead' ? [row] : []))
}

/** The total that a family's children got of their parent's runway, in cents. */
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

/**
 * Changes a family together with everything else that `change` writes. Of two concurrent calls one throws.
 */
export function changeFamily(
  store: Pick<Store, 'transaction'>,
  golem: Hash,
  change: (family: StoredFamily, transaction: Transaction) => Promise<StoredFamily>,
): Promise<StoredFamily> {
  return store.transaction(async (transaction) => {
    // Writing the Golem's row serializes concurrent changes.
    const row = await transaction.golems.find(golem)
    if (!row || !(await transaction.golems.save(row)))
      throw new BardoError('Another process is changing this Golem.', { code: 'STORE_UNAVAILABLE' })
    const family = await change(await readFamily(transaction, golem), transaction)
    await writeFamily(transaction, golem, family)
    return family
  })
}
