import { readAdopted } from '@bardo/chain'
import { BardoError } from '@bardo/core'
import type { GolemParts } from '../permission/golemParts.ts'
import type { SignedPermission } from '../permission/signedPermission.ts'

/**
 * The boot check, which every write repeats: the constitution that the owner adopted must be the signed one. Without a
 * signed constitution there is nothing to check.
 */
export async function requireConstitution(
  context: Pick<GolemParts, 'client' | 'deployment'>,
  { golem, terms }: Pick<SignedPermission, 'golem' | 'terms'>,
): Promise<void> {
  const signed = terms.constitution
  if (signed === undefined) return
  const adopted = await readAdopted(context, golem.owner)
  if (adopted?.toLowerCase() === signed.toLowerCase()) return
  throw new BardoError('The constitution differs from the signed one.', {
    code: 'CONFIG_INVALID',
    outcome: 'not-sent',
    details: [`signed: ${signed}`, `adopted by the owner: ${adopted ?? 'none'}`],
    remedy: 'Adopt the signed constitution again, or sign a delegation for the new one.',
    docsPath: 'permissions.md#the-constitution',
  })
}
