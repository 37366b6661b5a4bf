import { BardoError } from '@bardo/core'
import type { SignedPermission } from './signedPermission.ts'

/**
 * Refuses a delegation by a session account: the chain checks its signature at every use, against the signer of that
 * moment, so the next rotation would end it.
 */
export function requireLastingSignature({ actsBy, golem }: Pick<SignedPermission, 'actsBy' | 'golem'>): void {
  if (actsBy === 'key') return
  throw new BardoError('A Golem with a session account cannot delegate.', {
    code: 'ACTION_NOT_ALLOWED',
    details: [`Golem ${golem.name}`, 'a rotation of its key would end what the account signed before'],
    remedy: 'Summon a Golem with the route "direct" for Replicants and for delegations to other Golems.',
    docsPath: 'golem.md#routes',
  })
}
