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
import { type Address, erc20Abi, isAddressEqual, type LocalAccount, zeroAddress } from 'viem'
import { z } from 'zod'
import { activeKey } from '../runtime/activeKey.ts'
import { signGrantAsOwner } from '../runtime/grantAsOwner.ts'
import { dayOfGas } from './dayOfGas.ts'
import { knownGrants } from './knownGrants.ts'
import { lessOf, requireWhole } from './lessOf.ts'
import { type OwnerAnswer, type OwnerAsk, readOwnerAsk } from './ownerRequest.ts'
import type { OwnerSeat } from './ownerSeat.ts'
import { requirePart, requireSmallGift } from './requireBounded.ts'

/** An owner whose key is at hand: their desk, and their wallet as a page sees it (EIP-1193), if there is one. */
export type OwnerSeatOptions = OwnerDesk & {
  readonly store: Pick<
    Store,
    'delegations' | 'grimoire' | 'ownerRequests' | 'rotations' | 'sessionKeys' | 'transaction'
  >
  readonly owner: LocalAccount
  /** Runways are a wallet's own (ERC-7715): without one they cannot be granted. */
  readonly wallet?: {
    request(request: { readonly method: string; readonly params?: unknown }): Promise<unknown>
  }
  /** Whether runways beyond the guard are granted too. */
  readonly override?: boolean
}

const etherDecimals = 18
/** Requests whose answer is the same for everybody. */
const undivided: ReadonlySet<string> = new Set(['revoke', 'grant', 'redelegate'])
const named = z.looseObject({ delegations: z.array(z.string()) })

/**
 * The seat of an owner who does what a request asks for, whenever they are told to: signs, sends, revokes.
 *
 * @example
 * const seat = createOwnerSeat({ ...desk, store, owner })
 * const word = await seat.answer(request, { amount: '2', days: 7 })
 */
export function createOwnerSeat(options: OwnerSeatOptions): OwnerSeat {
  const { client, deployment, account, owner, store, submitter, wallet, override = false } = options
  return {
    address: owner.address,
    async answer(request, less = {}) {
      if (undivided.has(request.kind)) requireWhole(request.kind, less)
      if (request.kind === 'revoke') return revokeAll(request)
      if (request.kind === 'grant')
        return { is: 'delegated', delegation: await signGrantAsOwner(options, store, request, drip) }
      if (request.kind === 'redelegate') return nameWriter(request)
      const ask = readOwnerAsk(request)
      const { timestamp: now } = await client.getBlock()
      return answerAsk(request, lessOf(ask, less, { now, decimals: await decimalsOf(ask) }))
    },
  }

  async function answerAsk(request: OwnerRequest, ask: OwnerAsk): Promise<OwnerAnswer | undefined> {
    switch (ask.is) {
      case 'runway': {
        if (ask.needsOverride && !override) return undefined
        if (!wallet) throw noWallet()
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
        await requirePart(options, store, request.golem, ask.root)
        return { is: 'delegated', delegation: await signDelegation(account, ask.root) }
      case 'policy':
      case 'permit': {
        const typedData = actionPermitTypedData(ask.permit, deployment.chainId, ask.account)
        return { is: 'permitted', signature: await owner.signTypedData(typedData) }
      }
      case 'fund': {
        requireSmallGift(options, ask)
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

  async function decimalsOf(ask: OwnerAsk): Promise<number> {
    if (ask.is !== 'fund' || ask.token === zeroAddress) return etherDecimals
    return client.readContract({ address: ask.token, abi: erc20Abi, functionName: 'decimals' })
  }

  async function drip(to: Address, id: string): Promise<void> {
    await submitter.submit({ id, to, value: dayOfGas })
  }
}

function noWallet(): BardoError {
  return new BardoError('A runway is granted by a wallet that speaks ERC-7715.', {
    code: 'UNSUPPORTED_CHAIN',
    remedy: 'Answer it there, with MetaMask for one; a key alone cannot.',
    docsPath: 'requests.md#runway',
  })
}
