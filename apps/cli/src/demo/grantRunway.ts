import {
  BardoError,
  type Delegation,
  decodeContext,
  inspectGrant,
  readGrants,
  readRequest,
  requestMethod,
  runwayRequests,
} from '@bardo/core'
import { keepPermission } from '@bardo/golem'
import type { Address, Hash, Hex } from 'viem'
import type { Stage } from './openStage.ts'

/** What a day of the Golem's life costs, and so what a day of its runway gives, in cents. */
export const dailyCents = 200n

/** A runway as the wallet granted it. */
export type Runway = {
  /** Under which the store has it. */
  readonly id: Hash
  readonly links: readonly Delegation[]
  readonly context: Hex
  /** Whether the signed bytes are what was asked for, and the wallet's words are what was signed. */
  readonly isAsAsked: boolean
}

/**
 * Asks the owner's wallet for a runway (ERC-7715): so many days of dollars, for the key to draw. A grant straight to a
 * session key is safe only because it names its payee: whoever steals the key can pay the operator's bill and nobody
 * else's.
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
  const [wanted] = runwayRequests(
    { usdcCentsPerDay: dailyCents, gasWeiPerDay: 0n, expiry, because: [] },
    { chainId, from: owner.address, to: key, usdc: addresses.usdc, now },
  )
  const payee = { type: 'payee', data: { addresses: [accounts.operator] } }
  const request = { ...wanted, rules: [...(wanted.rules ?? []), payee] }
  const answer = await owner.wallet.request({ method: requestMethod, params: [request] })
  const [grant] = readGrants(answer)
  if (!grant) throw new BardoError('The wallet granted nothing.', { code: 'GRANT_MALFORMED' })
  const { DelegationManager: delegationManager, caveatEnforcers } = deployment.framework
  const inspected = await inspectGrant(readRequest(request), grant, { delegationManager, caveatEnforcers })
  const id = await keepPermission(store, golem, grant)
  const isAsAsked = inspected.differences.length === 0 && inspected.misstated.length === 0
  return { id, links: decodeContext(grant.context), context: grant.context, isAsAsked }
}

/** The owner's wallet takes a runway back: `disableDelegation`, by a transaction of the owner's. */
export async function endRunway({ owner, store }: Stage, { id, context }: Runway): Promise<void> {
  const params = { permissionContext: context }
  await owner.wallet.request({ method: 'wallet_revokeExecutionPermission', params })
  await store.permissions.end(id, 'revoked')
}
