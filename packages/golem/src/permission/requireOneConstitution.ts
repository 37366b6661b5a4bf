import { BardoError } from '@bardo/core'
import type { Address, Hash } from 'viem'
import { readFamily } from '../state/storedFamily.ts'
import type { GolemParts } from './golemParts.ts'
import { loadPermission } from './signedPermission.ts'

/**
 * Throws if another living Golem of the owner is signed for another constitution. PolicyCage keeps one adopted
 * constitution per owner, and a Golem ends when it is not the signed one: adopting a second would end the first Golem.
 *
 * @param golem - the Golem that gets the constitution; undefined if it does not exist yet
 */
export async function requireOneConstitution(
  context: Pick<GolemParts, 'store' | 'deployment' | 'book'>,
  {
    owner,
    golem,
    constitution,
  }: { readonly owner: Address; readonly golem?: Hash; readonly constitution: Hash },
): Promise<void> {
  const { store } = context
  const others: string[] = []
  for (const { id, name, status } of await store.golems.list({ owner })) {
    if (status === 'dead' || id === golem) continue
    const [record, { birth }] = await Promise.all([store.delegations.list(id), readFamily(store, id)])
    // A Replicant ends with its parent's root.
    if (record.length === 0 || (birth && birth.parent === golem)) continue
    const signed = (await loadPermission({ ...context, id })).terms.constitution
    if (signed !== undefined && signed.toLowerCase() !== constitution.toLowerCase())
      others.push(`${name}: ${signed}`)
  }
  if (others.length === 0) return
  throw new BardoError('Another Golem of this owner is signed for another constitution.', {
    code: 'ACTION_NOT_ALLOWED',
    outcome: 'not-sent',
    details: [...others, `requested: ${constitution}`],
    remedy:
      'An owner has one constitution at a time. Use the same one, remove it from the other Golem first (bardo constitution GOLEM --remove), or use another owner key.',
    docsPath: 'permissions.md#the-constitution',
  })
}
