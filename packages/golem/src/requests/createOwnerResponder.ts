import { type OwnerSigner, resetWriter, revoke, systemClock, transferCall } from '@bardo/chain'
import {
  type ActionPermit,
  type AddressBook,
  actionPermitTypedData,
  BardoError,
  decodeContext,
  hashDelegation,
  requestGrants,
  signDelegation,
  signRunwayDraw,
  type TypedDataWallet,
  upgradedAccount,
  walletSigner,
} from '@bardo/core'
import type { OwnerRequest, Store } from '@bardo/store'
import { activeKey } from '@bardo/wallets'
import { type Address, isAddressEqual, type LocalAccount, zeroAddress } from 'viem'
import { readWalletPolicy, walletPolicyHash } from '../action/walletPolicy.ts'
import { proposalKind } from '../council/proposal.ts'
import { forCoSigners } from './answerRequest.ts'
import { dripGas } from './gasForADay.ts'
import { signGrantAsOwner } from './grantAsOwner.ts'
import { knownGrants } from './knownGrants.ts'
import { namesOf } from './namesOf.ts'
import { narrowRequest, requireWhole } from './narrowRequest.ts'
import { type OwnerAnswer, type OwnerAsk, readOwnerAsk, readRevocation } from './ownerRequest.ts'
import type { OwnerResponder } from './ownerResponder.ts'
import { type OwnRow, ownRow } from './ownRow.ts'
import { migrationPermit, policyPermit } from './rebuildPermit.ts'
import { additionalRoot, beyond, holdsLink, requireAllowedTransfer } from './requireBounded.ts'
import { requireKey } from './requireKey.ts'
import { requireLiving } from './requireLiving.ts'
import { needsConfirmation } from './runwayGuard.ts'
import { runwayTerms, walletRequests } from './runwayTerms.ts'

/**
 * An owner whose key is available: the signer, and a wallet as a page sees it (EIP-1193), if there is one.
 */
export type OwnerResponderOptions = OwnerSigner & {
  readonly store: Pick<
    Store,
    | 'delegations'
    | 'golems'
    | 'grimoire'
    | 'journal'
    | 'ownerRequests'
    | 'permissions'
    | 'rotations'
    | 'sessionKeys'
    | 'transaction'
  >
  /** The known tokens and contracts. */
  readonly book: AddressBook
  readonly owner: Pick<LocalAccount, 'address'> & TypedDataWallet
  /** Only a wallet can grant runways (ERC-7715). */
  readonly wallet?: {
    request(request: { readonly method: string; readonly params?: unknown }): Promise<unknown>
  }
  /** The minimum gas of a new key on a chain where gas is free. Default: 0. */
  readonly leastGas?: bigint
  /** Whether to grant runways that need explicit confirmation. */
  readonly override?: boolean
  /** Values that a repeated answer shares with the first one. Default: read from the chain each time. */
  readonly fixed?: {
    /** Unix seconds. */
    readonly now: bigint
    /** Until when the owner's signature for a new writer of the Golem's row is valid, in Unix seconds. */
    readonly deadline: bigint
    /** Wei: the first gas of a new key. */
    readonly gas: bigint
  }
}

const etherDecimals = 18
/** Kinds that cannot be approved in part. */
const indivisibleKinds: ReadonlySet<string> = new Set(['revoke', 'grant', 'redelegate', 'missedTicks'])

/**
 * Answers requests with the owner's key: signs, sends, revokes. What is signed or sent is built from the
 * request's kind and
 * its checked fields; no stored text reaches the key or the wallet unchanged.
 *
 * @example
 * const responder = createOwnerResponder({ ...signer, store, book, owner })
 * const answer = await responder.answer(request, { amount: '2', days: 7 })
 */
export function createOwnerResponder(options: OwnerResponderOptions): OwnerResponder {
  const {
    client,
    deployment,
    account,
    owner,
    store,
    submitter,
    wallet,
    book,
    leastGas = 0n,
    override = false,
    fixed,
  } = options
  const { chainId } = deployment
  return {
    address: owner.address,
    async answer(request, less = {}) {
      if (indivisibleKinds.has(request.kind)) requireWhole(request.kind, less)
      if (request.kind === 'revoke') return revokeAll(request)
      await requireLiving(store, request.golem)
      if (request.kind === 'grant') return { type: 'delegated', delegation: await grantRoot(request) }
      if (request.kind === proposalKind) throw forCoSigners()
      if (request.kind === 'missedTicks') return { type: 'noted' }
      const row = await ownRow(options, store, request.golem)
      if (request.kind === 'redelegate') return nameWriter(request, row)
      const ask = readOwnerAsk(request)
      const now = fixed?.now ?? (await client.getBlock()).timestamp
      return answerAsk(request, narrowRequest(ask, less, { now, decimals: decimalsOf(ask) }), row)
    },
  }

  async function answerAsk(
    request: OwnerRequest,
    ask: OwnerAsk,
    { writer }: OwnRow,
  ): Promise<OwnerAnswer | undefined> {
    switch (ask.type) {
      case 'runway':
        return grantRunway(ask)
      case 'sessionKey': {
        const root = await additionalRoot(options, store, request.golem, ask)
        return { type: 'delegated', delegation: await signDelegation(account, root) }
      }
      case 'policy': {
        const inForce = await readWalletPolicy(store, request.golem)
        if (inForce && walletPolicyHash(inForce) !== walletPolicyHash(ask.before))
          throw beyond(['the policy in force differs from the one in the request'])
        return permitted(policyPermit(request, ask, systemNow()), ask.account)
      }
      case 'permit': {
        const permit = migrationPermit(request, ask, book, systemNow())
        if (!isAddressEqual(ask.source, writer)) throw beyond([`${ask.source} is not the Golem’s key`])
        // This key may permit a transfer back to the owner; any other destination needs the owner's wallet.
        if (![owner.address, account.address].some((own) => isAddressEqual(own, ask.destination)))
          throw beyond([`${ask.destination} is neither your wallet nor your account`])
        return permitted(permit, ask.account)
      }
      case 'fund': {
        await requireAllowedTransfer(options, ask, { writer, book })
        const { token, amount, to } = ask
        if (isAddressEqual(to, writer)) await requireKey(store, request.golem)
        const call =
          token === zeroAddress ? { to, value: amount } : transferCall({ token, amount, account: to })
        const { hash } = await submitter.submit({ id: `fund-${request.id}`, ...call })
        return { type: 'sent', transaction: hash }
      }
    }
  }

  async function grantRunway(ask: Extract<OwnerAsk, { type: 'runway' }>): Promise<OwnerAnswer | undefined> {
    const parties = { chainId, owner: owner.address, usdc: book.assets.get('USDC')?.token }
    const terms = runwayTerms(ask, parties)
    // The draw is for the key that the chain names, not the one in the row: it may have been rotated since.
    const keys: Address[] = []
    for (const fed of terms) {
      await requireLiving(store, fed.golem)
      if (!isAddressEqual(fed.account, account.address))
        throw beyond([`${fed.account} is not your account, ${account.address}`])
      // Check before signing: a signed grant can be used, whatever happens to the answer.
      await requireKey(store, fed.golem)
      keys.push((await ownRow(options, store, fed.golem)).writer)
    }
    if (!override && needsConfirmation(terms)) return undefined
    if (!wallet) throw noWallet()
    const { answer: grants, grants: readGrants } = await requestGrants(wallet, walletRequests(terms, parties))
    const links = readGrants.map(({ context }) => decodeContext(context)[0])
    const feeds = await Promise.all(
      links.flatMap((grant, index) => {
        const delegate = keys[index]
        return grant && delegate ? [signRunwayDraw(account, { grant, delegate })] : []
      }),
    )
    return { type: 'granted', grants, feeds, override }
  }

  async function permitted(permit: ActionPermit, named: Address): Promise<OwnerAnswer> {
    if (!isAddressEqual(named, account.address)) throw beyond([`${named} is not your account`])
    const typedData = actionPermitTypedData(permit, chainId, account.address)
    return { type: 'permitted', signature: await owner.signTypedData(typedData) }
  }

  async function revokeAll(request: OwnerRequest): Promise<OwnerAnswer> {
    const delegations = readRevocation(request)
    const toRevoke = (await knownGrants(store, request.golem)).filter(({ delegation }) =>
      delegations.includes(hashDelegation(delegation)),
    )
    // The wallet granted the runway; the account granted everything else.
    const wallets = upgradedAccount(deployment, { address: owner.address, signer: walletSigner(owner) })
    for (const { delegation } of toRevoke) {
      const granter = [account, wallets].find(({ address }) => isAddressEqual(address, delegation.delegator))
      if (granter) await revoke({ ...options, account: granter }, { delegation, cause: 'owner' })
    }
    return { type: 'revoked' }
  }

  /** Makes the row name the active key again, if it holds a link below a root that the owner signed. */
  async function nameWriter({ golem }: OwnerRequest, { firstKey }: OwnRow): Promise<OwnerAnswer | undefined> {
    const key = await activeKey(store, golem)
    if (!key) return undefined
    if (!(await holdsLink(options, store, golem, key.address)))
      throw beyond([`no delegation that you signed is for ${key.address}`])
    await resetWriter(options, {
      firstKey,
      newWriter: key.address,
      ...(fixed && { deadline: fixed.deadline }),
    })
    return { type: 'renamed' }
  }

  /**
   * From the address book: a contract that a row names is never called. An unknown token is refused later.
   */
  function decimalsOf(ask: OwnerAsk): number {
    if (ask.type !== 'fund' || ask.token === zeroAddress) return etherDecimals
    return namesOf(book).token(ask.token)?.decimals ?? etherDecimals
  }

  function grantRoot(request: OwnerRequest) {
    return signGrantAsOwner(options, store, request, drip, fixed?.deadline)
  }

  async function drip(to: Address, id: string): Promise<void> {
    if (fixed) {
      const value = (await store.journal.find(id))?.intent.value ?? fixed.gas
      await submitter.submit({ id, to, value })
      return
    }
    await dripGas({ client, journal: store.journal, submitter }, { id, to, least: leastGas })
  }
}

const systemNow = () => BigInt(Math.floor(systemClock.now() / 1_000))

function noWallet(): BardoError {
  return new BardoError('Only a wallet that supports ERC-7715 can grant a runway.', {
    code: 'UNSUPPORTED_CHAIN',
    remedy: 'Answer the request in such a wallet, for example MetaMask.',
    docsPath: 'requests.md#runway',
  })
}
