import {
  BardoError,
  type Delegation,
  decodeContext,
  inspectGrant,
  readRequest,
  requestGrants,
  runwayRequests,
} from '@bardo/core'
import { keepPermission } from '@bardo/golem'
import type { Address, Hash, Hex } from 'viem'
import type { Stage } from './openStage.ts'

/** The daily cost of the Golem, and so the daily amount of its runway, in cents. */
export const dailyCents = 200n

/** A runway as the wallet granted it. */
export type Runway = {
  /** Its id in the store. */
  readonly id: Hash
  readonly links: readonly Delegation[]
  readonly context: Hex
  /** Whether the signed bytes match the request, and the wallet's description matches the signed bytes. */
  readonly isAsAsked: boolean
}

/**
 * Asks the owner's wallet for a runway (ERC-7715): a daily amount that the key may draw. A grant to a session key is safe
 * only because it names its payee: a thief with the key can only pay the operator.
 */
export async function grantRunway(
  { client, deployment, owner, store, world }: Stage,
  golem: Hash,
  key: Address,
  days: number,
): Promise<Runway> {
  const { timestamp: now } = await client.getBlock()
  const expiry = now + BigInt(days) * 86_400n + 3_600n
  const { chainId, addresses, accounts } = world
  const [runwayRequest] = runwayRequests(
    { usdcCentsPerDay: dailyCents, gasWeiPerDay: 0n, expiry, because: [] },
    { chainId, from: owner.address, to: key, usdc: addresses.usdc, now },
  )
  const payee = { type: 'payee', data: { addresses: [accounts.operator] } }
  const request = { ...runwayRequest, rules: [...(runwayRequest.rules ?? []), payee] }
  const {
    grants: [grant],
  } = await requestGrants(owner.wallet, [request])
  if (!grant) throw new BardoError('The wallet granted nothing.', { code: 'GRANT_MALFORMED' })
  const { DelegationManager: delegationManager, caveatEnforcers } = deployment.framework
  const inspected = await inspectGrant(readRequest(request), grant, { delegationManager, caveatEnforcers })
  const id = await keepPermission(store, golem, grant)
  const isAsAsked = inspected.differences.length === 0 && inspected.misstated.length === 0
  return { id, links: decodeContext(grant.context), context: grant.context, isAsAsked }
}

/** The owner's wallet revokes a runway: `disableDelegation`, in a transaction of the owner. */
export async function endRunway({ owner, store }: Stage, { id, context }: Runway): Promise<void> {
  const params = { permissionContext: context }
  await owner.wallet.request({ method: 'wallet_revokeExecutionPermission', params })
  await store.permissions.end(id, 'revoked')
}
