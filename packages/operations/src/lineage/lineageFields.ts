import { BardoError, hashDelegation, isRoot } from '@bardo/core'
import { knownGrants } from '@bardo/golem/requests'
import { type Hash, isAddressEqual } from 'viem'
import { z } from 'zod'
import { OutdatedOperation } from '../owner/OutdatedOperation.ts'
import type { OperationContext } from '../owner/ownerOperation.ts'
import { hashSchema } from '../owner/schemas.ts'

/** A Golem, and every root of its lineage that was known when the operation was prepared. */
export const lineageFields = z.strictObject({
  golem: hashSchema,
  name: z.string(),
  roots: z.array(hashSchema),
})

/** A Golem and its roots. */
export type LineageFields = z.output<typeof lineageFields>

/** Finds a Golem of this owner, and its roots. */
export async function resolveLineage(
  { store, owner }: Pick<OperationContext, 'store' | 'owner'>,
  golem: Hash,
): Promise<LineageFields> {
  const row = await store.golems.find(golem)
  if (!row) throw new BardoError('Unknown Golem.', { code: 'INVALID_INPUT', details: [golem] })
  if (!isAddressEqual(row.owner, owner))
    throw new BardoError('The key does not own this Golem.', {
      code: 'ACTION_NOT_ALLOWED',
      details: [`the owner is ${row.owner}`, `the key is ${owner}`],
      remedy: 'Give the owner’s key file with --owner-key, or the owner’s address with --owner.',
      docsPath: 'cli.md#keys',
    })
  return { golem, name: row.name, roots: [...(await rootsOf(store, golem))] }
}

/**
 * Throws if the lineage has other roots than when the operation was prepared: what the owner was shown would not be what
 * happens.
 *
 * @param own - roots that the operation itself adds
 */
export async function requireSameRoots(
  { store }: Pick<OperationContext, 'store'>,
  { golem, roots }: LineageFields,
  own: readonly Hash[] = [],
): Promise<void> {
  const now = await rootsOf(store, golem)
  const added = [...now].filter((root) => !roots.includes(root) && !own.includes(root))
  const gone = roots.filter((root) => !now.has(root))
  if (added.length === 0 && gone.length === 0) return
  throw new OutdatedOperation(
    'The Golem’s roots changed since it was prepared.',
    ...added.map((root) => `new root: ${root}`),
    ...gone.map((root) => `no longer stored: ${root}`),
  )
}

async function rootsOf(store: Parameters<typeof knownGrants>[0], golem: Hash): Promise<ReadonlySet<Hash>> {
  const grants = await knownGrants(store, golem)
  return new Set(
    grants.flatMap(({ of, delegation }) =>
      of === 'golem' && isRoot(delegation) ? [hashDelegation(delegation)] : [],
    ),
  )
}
