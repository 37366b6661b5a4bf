import { BardoError } from '@bardo/core'
import { createOwnerSeat, type OwnerSeatOptions } from './createOwnerSeat.ts'
import type { OwnerSeat } from './ownerSeat.ts'

/** An owner of the local world. */
export type DevnetOwnerOptions = OwnerSeatOptions & Required<Pick<OwnerSeatOptions, 'wallet'>>

const devnetChainId = 31_337

/**
 * The devnet’s owner, who says yes to everything without being there. Refused on any other chain, by what is configured
 * and by what the chain itself says.
 *
 * @example
 * const owner = await createDevnetOwner({ ...desk, store, owner, wallet })
 */
export async function createDevnetOwner(options: DevnetOwnerOptions): Promise<OwnerSeat> {
  const { client, deployment, account } = options
  const chains = [deployment.chainId, account.chainId, await client.getChainId()]
  if (chains.some((chainId) => chainId !== devnetChainId))
    throw new BardoError('Only the devnet’s owner answers unattended.', {
      code: 'UNSUPPORTED_CHAIN',
      details: chains.map(String),
      remedy: 'Answer requests with the owner’s own wallet.',
      docsPath: 'requests.md#kinds',
    })
  return createOwnerSeat(options)
}
