import { z } from 'zod'
import type { GolemCard } from './readIdentity.ts'

/** A Golem's identity as JSON. */
export const identityFields = z.strictObject({
  agent: z
    .strictObject({
      agentId: z.string(),
      owner: z.string().describe('The depositor, while the guardian contract holds the token'),
      belongs: z
        .enum(['account', 'ownerKey', 'other'])
        .describe('The owner of the token: the owner’s account, the owner’s key, or another owner or Golem'),
      uri: z.string(),
      wallet: z.string().nullable(),
      walletIs: z.enum(['current', 'old', 'none']).describe('old: not the Golem’s active key'),
      guarded: z
        .strictObject({
          guardian: z.string().nullable().describe('Can cancel a transfer'),
          pending: z
            .strictObject({ to: z.string(), readyAt: z.number().describe('Unix seconds') })
            .nullable()
            .describe('The announced transfer'),
        })
        .nullable()
        .describe('Null unless the guardian contract holds the token'),
    })
    .nullable()
    .describe('The agent in the ERC-8004 registry; null if it is not registered'),
  attestedAt: z.number().nullable().describe('Unix seconds; null without a valid attestation of the owner'),
})

/** A Golem's identity as JSON. */
export type IdentityJson = z.output<typeof identityFields>

/** The identity as JSON; null if the Golem has none. */
export function identityJson({ agent, attestation }: GolemCard): IdentityJson | null {
  if (!agent && !attestation) return null
  const attestedAt = attestation ? Number(attestation.issuedAt) : null
  if (!agent) return { agent: null, attestedAt }
  const { agentId, owner, belongs, uri, wallet = null, walletIs, guarded } = agent
  const { guardian = null, pending } = guarded ?? {}
  return {
    agent: {
      agentId: `${agentId}`,
      owner,
      belongs,
      // Another owner chose this text, and an agent reads the status.
      uri: belongs === 'other' ? '' : uri,
      wallet,
      walletIs,
      guarded: guarded
        ? { guardian, pending: pending ? { to: pending.to, readyAt: Number(pending.readyAt) } : null }
        : null,
    },
    attestedAt,
  }
}
