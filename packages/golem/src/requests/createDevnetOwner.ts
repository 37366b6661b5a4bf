import { BardoError } from '@bardo/core'
import { createOwnerResponder, type OwnerResponderOptions } from './createOwnerResponder.ts'
import type { OwnerResponder } from './ownerResponder.ts'

/** Options of a devnet owner. */
export type DevnetOwnerOptions = OwnerResponderOptions & Required<Pick<OwnerResponderOptions, 'wallet'>>

const devnetChainId = 31_337

/**
 * The owner responder of the devnet, which approves everything. Throws on any other chain, checked in the
 * configuration and
 * on the chain itself.
 *
 * @example
 * const owner = await createDevnetOwner({ ...signer, store, owner, wallet })
 */
export async function createDevnetOwner(options: DevnetOwnerOptions): Promise<OwnerResponder> {
  const { client, deployment, account } = options
  const chains = [deployment.chainId, account.chainId, await client.getChainId()]
  if (chains.some((chainId) => chainId !== devnetChainId))
    throw new BardoError('An owner responder is allowed only on the devnet.', {
      code: 'UNSUPPORTED_CHAIN',
      details: chains.map(String),
      remedy: 'Answer requests with the owner’s wallet.',
      docsPath: 'requests.md#kinds',
    })
  return createOwnerResponder(options)
}
