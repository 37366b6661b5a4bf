import type { SignedGolemAttestation } from '@bardo/core'
import type { Golem, Store, Transaction } from '@bardo/store'
import type { Hash } from 'viem'
import { z } from 'zod'

const agentKey = 'identity'
const attestationKey = 'attestation'

const hex = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]*$/)])

/** An attestation as it is stored and printed. */
export const attestationSchema = z.strictObject({
  chainId: z.int(),
  owner: hex,
  golem: hex,
  firstKey: hex,
  name: z.string(),
  account: hex,
  /** Unix seconds. */
  issuedAt: z.string().regex(/^\d{1,19}$/),
  signature: hex,
})

/** An attestation as it is stored and printed. */
export type AttestationJson = z.output<typeof attestationSchema>

/** The attestation as core verifies it. */
export function attestationFrom({ issuedAt, ...rest }: AttestationJson): SignedGolemAttestation {
  return { ...rest, issuedAt: BigInt(issuedAt) }
}

/** The id of a Golem's agent in the registry: from its summoning, or from a later registration. */
export async function readAgentId(
  { grimoire }: Pick<Store, 'grimoire'>,
  { id, onboarding }: Pick<Golem, 'id' | 'onboarding'>,
): Promise<bigint | undefined> {
  const entry = await grimoire.get(id, agentKey)
  if (entry) return BigInt(z.strictObject({ agentId: z.string().regex(/^\d+$/) }).parse(entry.body).agentId)
  return onboarding.step === 'live' || onboarding.step === 'summoning' ? onboarding.identity : undefined
}

/** Stores the id of a Golem's agent. */
export async function writeAgentId(
  { grimoire }: Pick<Transaction, 'grimoire'>,
  golem: Hash,
  agentId: bigint,
): Promise<void> {
  await grimoire.put({ golem, key: agentKey, kind: 'identity', body: { agentId: `${agentId}` } })
}

/** The stored attestation of a Golem. It counts only if `golemAttestationRefusal` finds nothing. */
export async function readAttestation(
  { grimoire }: Pick<Store, 'grimoire'>,
  golem: Hash,
): Promise<AttestationJson | undefined> {
  const entry = await grimoire.get(golem, attestationKey)
  return entry && attestationSchema.parse(entry.body)
}

/** Stores the attestation of a Golem. */
export async function writeAttestation(
  { grimoire }: Pick<Transaction, 'grimoire'>,
  golem: Hash,
  attestation: AttestationJson,
): Promise<void> {
  await grimoire.put({ golem, key: attestationKey, kind: 'identity', body: attestation })
}
