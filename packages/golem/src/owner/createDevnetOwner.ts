import { type OwnerDesk, revoke, signDelegation, signFeed, transferCall } from '@bardo/chain'
import { actionPermitTypedData, BardoError, decodeContext, hashDelegation, readGrants } from '@bardo/core'
import type { OwnerRequest, Store } from '@bardo/store'
import { isAddressEqual, type LocalAccount, zeroAddress } from 'viem'
import { z } from 'zod'
import { type OwnerAnswer, type OwnerAsk, readOwnerAsk } from './ownerRequest.ts'
import type { OwnerSeat } from './ownerSeat.ts'

/** An owner of the local world: their desk, their key, and their wallet as a page sees it (EIP-1193). */
export type DevnetOwnerOptions = OwnerDesk & {
  readonly store: Pick<Store, 'delegations'>
  readonly owner: LocalAccount
  readonly wallet: {
    request(request: { readonly method: string; readonly params?: unknown }): Promise<unknown>
  }
  /** Whether runways beyond the guard are granted too. */
  readonly override?: boolean
}

const devnetChainId = 31_337
const named = z.looseObject({ delegations: z.array(z.string()) })

/**
 * The devnet's owner, who says yes to everything without being there. Refused on any other chain, by what is configured
 * and by what the chain itself says.
 *
 * @example
 * const owner = await createDevnetOwner({ ...desk, store, owner, wallet })
 */
export async function createDevnetOwner(options: DevnetOwnerOptions): Promise<OwnerSeat> {
  const { client, deployment, account, owner, submitter, wallet, override = false } = options
  const chains = [deployment.chainId, account.chainId, await client.getChainId()]
  if (chains.some((chainId) => chainId !== devnetChainId))
    throw new BardoError('Only the devnet’s owner answers unattended.', {
      code: 'UNSUPPORTED_CHAIN',
      details: chains.map(String),
      remedy: 'Answer requests with the owner’s own wallet.',
      docsPath: 'owner.md#what-needs-the-owner',
    })

  return {
    address: owner.address,
    async answer(request) {
      if (request.kind === 'revoke') return revokeAll(request)
      // A lost key's grant takes the owner's care in a certain order; `grantAsOwner` has it.
      if (request.kind === 'grant' || request.kind === 'redelegate') return undefined
      return answerAsk(request, readOwnerAsk(request))
    },
  }

  async function answerAsk(request: OwnerRequest, ask: OwnerAsk): Promise<OwnerAnswer | undefined> {
    switch (ask.is) {
      case 'runway': {
        if (ask.needsOverride && !override) return undefined
        const grants = await wallet.request({ method: ask.method, params: ask.requests })
        const links = readGrants(grants).map(({ context }) => decodeContext(context)[0])
        const feeds = await Promise.all(
          links.flatMap((grant, place) => {
            const key = ask.golems[place]?.key
            return grant && key ? [signFeed(account, { grant, delegate: key })] : []
          }),
        )
        return { is: 'granted', grants, feeds, override }
      }
      case 'sessionKey':
        return { is: 'delegated', delegation: await signDelegation(account, ask.root) }
      case 'policy':
      case 'permit': {
        const typedData = actionPermitTypedData(ask.permit, deployment.chainId, ask.account)
        return { is: 'permitted', signature: await owner.signTypedData(typedData) }
      }
      case 'fund': {
        const { token, amount, to } = ask
        const call =
          token === zeroAddress ? { to, value: amount } : transferCall({ token, amount, account: to })
        const { hash } = await submitter.submit({ id: `fund-${request.id}`, ...call })
        return { is: 'sent', transaction: hash }
      }
    }
  }

  async function revokeAll({ golem, body }: OwnerRequest): Promise<OwnerAnswer> {
    const { delegations } = named.parse(body)
    const kept = await options.store.delegations.list(golem)
    const links = kept.flatMap(({ context }) => decodeContext(context))
    for (const delegation of links)
      if (
        delegations.includes(hashDelegation(delegation)) &&
        isAddressEqual(delegation.delegator, account.address)
      )
        await revoke(options, { delegation, cause: 'owner' })
    return { is: 'revoked' }
  }
}
