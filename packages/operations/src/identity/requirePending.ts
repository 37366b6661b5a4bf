import type { PendingTransfer } from '@bardo/chain'
import { BardoError } from '@bardo/core'
import type { requireGuarded } from './golemIdentity.ts'

/** The announced transfer of an agent. */
export function requirePending({ agentId, guarded }: ReturnType<typeof requireGuarded>): PendingTransfer {
  if (guarded.pending) return guarded.pending
  throw new BardoError('No transfer of this identity is announced.', {
    code: 'STEP_OUT_OF_ORDER',
    outcome: 'not-sent',
    details: [`agent ${agentId}`],
    remedy: 'Announce one: bardo identity transfer GOLEM --to ADDRESS',
    docsPath: 'identity.md#the-guardian-contract',
  })
}
