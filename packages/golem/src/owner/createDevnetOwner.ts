import {
  type OwnerDesk,
  resetWriter,
  revoke,
  signDelegation,
  signFeed,
  transferCall,
  upgradedAccount,
  walletSigner,
} from '@bardo/chain'
import { actionPermitTypedData, BardoError, decodeContext, hashDelegation, readGrants } from '@bardo/core'
import type { OwnerRequest, Store } from '@bardo/store'
import { type Address, isAddressEqual, type LocalAccount, parseEther, zeroAddress } from 'viem'
import { z } from 'zod'
import { activeKey } from '../runtime/activeKey.ts'
import { signGrantAsOwner } from '../runtime/grantAsOwner.ts'
import { knownGrants } from './knownGrants.ts'
import { type OwnerAnswer, type OwnerAsk, readOwnerAsk } from './ownerRequest.ts'
import type { OwnerSeat } from './ownerSeat.ts'

/** An owner of the local world: their desk, their key, and their wallet as a page sees it (EIP-1193). */
export type DevnetOwnerOptions = OwnerDesk & {
  readonly store: Pick<Store, 'delegations' | 'grimoire' | 'sessionKeys' | 'transaction'>
  readonly owner: LocalAccount
  readonly wallet: {
    request(request: { readonly method: string; readonly params?: unknown }): Promise<unknown>
  }
  /** Whether runways beyond the guard are granted too. */
  readonly override?: boolean
}

const devnetChainId = 31_337
/** What a new key is given to begin with: a day of gas. Origin: DESIGN §5a. */
const firstGas = parseEther('0.05')
const named = z.looseObject({ delegations: z.array(z.string()) })

/**
 * The devnet's owner, who says yes to everything without being there. Refused on any other chain, by what is configured
 * and by what the chain itself says.
 *
 * @example
 * const owner = await createDevnetOwner({ ...desk, store, owner, wallet })
 */
export async function createDevnetOwner(options: DevnetOwnerOptions): Promise<OwnerSeat> {
  const { client, deployment, account, owner, store, submitter, wallet, override = false } = options
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
      if (request.kind === 'grant')
        return { is: 'delegated', delegation: await signGrantAsOwner(options, store, request, drip) }
      if (request.kind === 'redelegate') return nameWriter(request)
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
    const wanted = (await knownGrants(store, golem)).filter(({ delegation }) =>
      delegations.includes(hashDelegation(delegation)),
    )
    // A runway is the wallet's own; all else is the account's.
    const wallets = upgradedAccount(deployment, { address: owner.address, signer: walletSigner(owner) })
    for (const { delegation } of wanted) {
      const granter = [account, wallets].find(({ address }) => isAddressEqual(address, delegation.delegator))
      if (granter) await revoke({ ...options, account: granter }, { delegation, cause: 'owner' })
    }
    return { is: 'revoked' }
  }

  /** The row names the key that is in use again. */
  async function nameWriter({ golem }: OwnerRequest): Promise<OwnerAnswer | undefined> {
    const [[first], key] = await Promise.all([store.sessionKeys.list(golem), activeKey(store, golem)])
    if (!first || !key) return undefined
    await resetWriter(options, { firstKey: first.address, newWriter: key.address })
    return { is: 'renamed' }
  }

  async function drip(to: Address, id: string): Promise<void> {
    await submitter.submit({ id, to, value: firstGas })
  }
}
