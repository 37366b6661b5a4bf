import { type AgentIdentity, createIdentityClient } from '@bardo/chain'
import { BardoError, type Deployment, golemAttestationRefusal } from '@bardo/core'
import type { Golem, Store } from '@bardo/store'
import { type Address, isAddressEqual, type PublicClient } from 'viem'
import { type AttestationJson, attestationFrom, readAgentId, readAttestation } from './storedIdentity.ts'

/** A Golem's agent in ERC-8004's registry, compared with what the Golem is. */
export type GolemAgent = AgentIdentity & {
  /**
   * `account`: of the owner's account, as it should be. `ownerKey`: of the owner's key, as version 0.1 registered it.
   * `other`: of another account, or for another Golem.
   */
  readonly belongs: 'account' | 'ownerKey' | 'other'
  /** `current`: the Golem's active key. `old`: another address, such as a key before a rotation. `none`: no wallet. */
  readonly walletIs: 'current' | 'old' | 'none'
}

/** The identity of a Golem. */
export type GolemCard = {
  readonly agent: GolemAgent | undefined
  /** Only if it is the owner's, for this Golem, account and chain. */
  readonly attestation: AttestationJson | undefined
}

/**
 * Reads the identity of a Golem, also of a dead one. Nothing from the store is believed: the registry says who owns the
 * agent and for which Golem it was registered, and the attestation is verified again.
 *
 * @param account - the owner's account
 */
export async function readIdentity(
  {
    store,
    client,
    deployment,
  }: {
    readonly store: Pick<Store, 'grimoire' | 'sessionKeys'>
    readonly client: PublicClient
    readonly deployment: Deployment
  },
  golem: Pick<Golem, 'id' | 'owner' | 'onboarding'>,
  account: Address,
): Promise<GolemCard> {
  const { id, owner } = golem
  const [agentId, stored, keys] = await Promise.all([
    readAgentId(store, golem),
    readAttestation(store, id),
    store.sessionKeys.list(id),
  ])
  const expected = { chainId: deployment.chainId, owner, golem: id, account }
  const refusal = stored && (await golemAttestationRefusal(attestationFrom(stored), expected))
  const attestation = refusal === undefined ? stored : undefined
  if (agentId === undefined) return { agent: undefined, attestation }
  const agent = await createIdentityClient({ client, deployment })
    .read(agentId)
    .catch((error: unknown) => {
      // The registry has no such agent: a reorganisation removed it, or the row is forged.
      if (error instanceof BardoError && error.code === 'INVALID_INPUT') return undefined
      throw error
    })
  if (!agent) return { agent, attestation }
  const { wallet } = agent
  const active = keys.find(({ status }) => status === 'active')?.address
  const isCurrent = wallet !== undefined && active !== undefined && isAddressEqual(wallet, active)
  const walletIs = wallet === undefined ? 'none' : isCurrent ? 'current' : 'old'
  return { agent: { ...agent, belongs: belongsTo(agent, id, { owner, account }), walletIs }, attestation }
}

function belongsTo(
  agent: AgentIdentity,
  golem: string,
  { owner, account }: { readonly owner: Address; readonly account: Address },
): GolemAgent['belongs'] {
  // An agent of version 0.1 names no Golem.
  if (agent.golem !== undefined && agent.golem.toLowerCase() !== golem.toLowerCase()) return 'other'
  if (isAddressEqual(agent.owner, account)) return 'account'
  return isAddressEqual(agent.owner, owner) ? 'ownerKey' : 'other'
}
