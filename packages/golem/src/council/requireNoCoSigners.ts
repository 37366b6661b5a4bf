import { BardoError, type PermissionPlan } from '@bardo/core'

/** Throws if a plan for a local key has co-signers: without a Cage, no caveat would ask for their signatures. */
export function requireNoCoSigners({ sections }: Pick<PermissionPlan, 'sections'>): void {
  if (!sections.coSigners) return
  throw new BardoError('A local key cannot have co-signers: its delegation has no Cage.', {
    code: 'CONFIG_INVALID',
    remedy: 'Choose delegation custody, or remove the co-signers from the strategy.',
    docsPath: 'council.md',
  })
}
