import { isDisabled, type OwnerSigner } from '@bardo/chain'
import {
  type AddressBook,
  BardoError,
  caveatRegistry,
  comparePolicies,
  type Delegation,
  hashDelegation,
  isRoot,
  type SmartAccount,
} from '@bardo/core'
import type { Store } from '@bardo/store'
import { type Address, type Hash, isAddressEqual, zeroAddress } from 'viem'
import { mostGas } from './gasForADay.ts'
import { knownGrants } from './knownGrants.ts'
import type { OwnerAsk } from './ownerRequest.ts'
import { isSigned } from './requireSigned.ts'

type Signer = Pick<OwnerSigner, 'client' | 'deployment' | 'account' | 'key'>
type RootSigner = Pick<Signer, 'client' | 'deployment'> & { readonly account: Pick<SmartAccount, 'address'> }
type GrantStore = Parameters<typeof knownGrants>[0] & Pick<Store, 'sessionKeys'>

/** Sentences about a refusal contain addresses only. */
const noNames = { token: () => undefined, label: () => undefined }

/** A root of this account for a Golem, and whether the chain shows it as disabled. */
type SignedRoot = { readonly root: Delegation; readonly isOff: boolean }

/**
 * The delegation to sign for an additional key: the requested limits under a valid root, for a key that was
 * created for
 * this Golem. Throws if the owner's signature on such a root does not allow the limits. A request is a row of
 * a database:
 * an attacker who can write there must not be able to widen anything.
 */
export async function additionalRoot(
  signer: Signer,
  store: GrantStore,
  golem: Hash,
  { publicKey, root: requested }: Pick<Extract<OwnerAsk, { type: 'sessionKey' }>, 'publicKey' | 'root'>,
): Promise<Delegation> {
  const key = await store.sessionKeys.find(publicKey)
  const isMade =
    key?.golem === golem && key.status !== 'wiped' && isAddressEqual(key.address, requested.delegate)
  if (!isMade) throw beyond([`${requested.delegate} is not a key of this Golem`])
  for (const { root, isOff } of await signedRoots(signer, store, golem)) {
    if (isOff) continue
    const before = { ...root, delegate: requested.delegate }
    const { changes } = comparePolicies(before, requested, caveatRegistry(signer.deployment), noNames)
    if (changes.every(({ direction }) => direction === 'narrower'))
      return unsigned({ ...root, delegate: requested.delegate, caveats: requested.caveats })
  }
  throw beyond(['it is not a part of a valid delegation of this account'])
}

/**
 * The delegation to sign for a new key instead of a lost or suspected one, and the roots to disable before.
 * The limits are
 * those of a valid root. If none is valid, because the owner has already disabled the suspected one, they are
 * those of the
 * newest stored root: limits that were narrowed since cannot be requested again.
 */
export async function successorRoot(
  signer: Signer,
  store: GrantStore,
  golem: Hash,
  requested: Delegation,
): Promise<{ readonly root: Delegation; readonly ends: readonly Delegation[] }> {
  const keys = await store.sessionKeys.list(golem)
  const isMade = keys.some(
    ({ address, status }) => status !== 'wiped' && isAddressEqual(address, requested.delegate),
  )
  if (!isMade) throw beyond([`${requested.delegate} is not a key of this Golem`])
  const signed = await signedRoots(signer, store, golem)
  const valid = signed.filter(({ isOff }) => !isOff)
  // A root of an unfinished feed counts for what must be disabled, not for what may be signed.
  const records = new Set((await store.delegations.list(golem)).map(({ hash }) => hash))
  const inUse = signed.filter(({ root }) => records.has(hashDelegation(root)))
  const inUseAndValid = inUse.filter(({ isOff }) => !isOff)
  const allowed = inUseAndValid.length > 0 ? inUseAndValid : inUse.slice(-1)
  const match = allowed.find(({ root }) => boundsOf(root) === boundsOf(requested))
  if (!match) throw beyond(['these are not the newest limits that this account signed'])
  const root = unsigned({ ...match.root, delegate: requested.delegate })
  const ends = valid.flatMap(({ root: old }) =>
    isAddressEqual(old.delegate, requested.delegate) ? [] : [old],
  )
  return { root, ends }
}

/**
 * Throws unless money goes to the owner's own account, and gas to the key that the chain names, with at most
 * two days of
 * gas.
 */
export async function requireAllowedTransfer(
  { client, account, key: owner }: Signer,
  ask: Extract<OwnerAsk, { type: 'fund' }>,
  { writer, book }: { readonly writer: Address; readonly book: Pick<AddressBook, 'assets'> },
): Promise<void> {
  if (!isAddressEqual(ask.from, owner)) throw beyond([`${ask.from} is not your wallet, ${owner}`])
  if (ask.token === zeroAddress) {
    if (!isAddressEqual(ask.to, writer))
      throw beyond([`${ask.to} is not the Golem’s key`, `the chain names ${writer}`])
    const most = await mostGas(client)
    if (ask.amount > most) throw beyond([`requested: ${ask.amount} wei for gas`, `maximum: ${most} wei`])
    return
  }
  if (!isAddressEqual(ask.to, account.address))
    throw beyond([`${ask.to} is not your account, ${account.address}`])
  if (![...book.assets.values()].some(({ token }) => isAddressEqual(token, ask.token)))
    throw beyond([`${ask.token} is not a known token`])
}

/** Throws if the signer's account did not sign the root itself. */
export async function requireOwnRoot(signer: RootSigner, root: Delegation): Promise<void> {
  if (!(await isOwn(signer, root))) throw beyond(['this account did not sign the stored root of the Golem'])
}

/** Whether a key has a link below a valid root that the account signed. */
export async function holdsLink(
  signer: Signer,
  store: GrantStore,
  golem: Hash,
  key: Address,
): Promise<boolean> {
  const roots = await signedRoots(signer, store, golem)
  if (!roots.some(({ isOff }) => !isOff)) return false
  const links = (await knownGrants(store, golem)).flatMap(({ of, delegation }) =>
    of === 'golem' && isAddressEqual(delegation.delegate, key) ? [delegation] : [],
  )
  const signed = await Promise.all(links.map((link) => isSigned(signer, link)))
  return signed.some((is) => is)
}

/** The roots that the account really signed for a Golem, whatever else is stored; the newest is last. */
export async function signedRoots(
  signer: Signer,
  store: GrantStore,
  golem: Hash,
): Promise<readonly SignedRoot[]> {
  const stored = (await knownGrants(store, golem)).flatMap(({ of, delegation }) =>
    of === 'golem' && isRoot(delegation) ? [delegation] : [],
  )
  const signed = await Promise.all(stored.map((root) => isOwn(signer, root)))
  const own = stored.filter((_, index) => signed[index])
  return Promise.all(own.map(async (root) => ({ root, isOff: await isDisabled(signer, root) })))
}

async function isOwn(signer: RootSigner, root: Delegation): Promise<boolean> {
  return isAddressEqual(root.delegator, signer.account.address) && isSigned(signer, root)
}

/** `args` are not signed, so those of a row are dropped. */
function unsigned(root: Delegation): Delegation {
  const caveats = root.caveats.map(({ enforcer, terms }) => ({ enforcer, terms, args: '0x' as const }))
  return { ...root, caveats, signature: '0x' }
}

function boundsOf({ delegator, authority, caveats }: Delegation): string {
  const bounds = caveats.map(({ enforcer, terms }) => [enforcer, terms])
  return JSON.stringify([delegator, authority, bounds]).toLowerCase()
}

/** Thrown when a request exceeds what an owner's key may do. */
export function beyond(details: readonly string[]): BardoError {
  return new BardoError('The request exceeds what you have signed.', {
    code: 'ACTION_NOT_ALLOWED',
    details,
    remedy:
      'Refuse the request. If you do want it, do it with your own wallet. Check who can write to the database.',
    docsPath: 'requests.md#what-an-owners-key-signs',
  })
}
