import { BardoError } from '@bardo/core'

/** Why a paused Golem waits, as a tick records it. */
export const pausedReason = 'paused by its owner'

/** Throws if the owner paused the Golem. */
export function requireNotPaused(pausedAt: number | undefined): void {
  if (pausedAt === undefined) return
  throw new BardoError('The Golem is paused by its owner.', {
    code: 'GOLEM_PAUSED',
    details: [`paused since ${new Date(pausedAt).toISOString()}`],
    remedy: 'Only the owner resumes it: bardo resume GOLEM. Until then nothing new is sent.',
    docsPath: 'golem.md#pause',
  })
}
