import { caveatRegistry, isDisabled, type OwnerDesk } from '@bardo/chain'
import { BardoError, comparePolicies, type Delegation, isRoot } from '@bardo/core'
import { type Hash, isAddressEqual, zeroAddress } from 'viem'
import { dayOfGas } from './dayOfGas.ts'
import { knownGrants } from './knownGrants.ts'
import type { OwnerAsk } from './ownerRequest.ts'
import { isSigned } from './requireSigned.ts'

type Desk = Pick<OwnerDesk, 'client' | 'deployment' | 'account'>
type Kept = Parameters<typeof knownGrants>[0]

/** Sentences about a refusal name addresses only. */
const noNames = { token: () => undefined, label: () => undefined }

/**
 * Refuses to sign more for a further key than the owner's signature on a root that still stands allows. A request is a row
 * of a database, and so is the sentence that it is shown with: whoever can write there must not be able to widen anything.
 */
export async function requirePart(desk: Desk, store: Kept, golem: Hash, wanted: Delegation): Promise<void> {
  for (const root of await signedRoots(desk, store, golem)) {
    if (await isDisabled(desk, root)) continue
    const before = { ...root, delegate: wanted.delegate }
    const { changes } = comparePolicies(before, wanted, caveatRegistry(desk.deployment), noNames)
    if (changes.every(({ direction }) => direction === 'narrower')) return
  }
  throw beyond(['it is no part of a delegation of this account that stands'])
}

/** Refuses to sign other bounds for a new key than the owner has signed before. The old root may be off already. */
export async function requireSame(desk: Desk, store: Kept, golem: Hash, wanted: Delegation): Promise<void> {
  const bounds = boundsOf(wanted)
  const signed = await signedRoots(desk, store, golem)
  if (signed.some((root) => boundsOf(root) === bounds)) return
  throw beyond(['this account never signed these bounds'])
}

/** Refuses to send money anywhere but to the owner's own account, and to a key more than a day of gas. */
export function requireSmallGift({ account }: Desk, ask: Extract<OwnerAsk, { is: 'fund' }>): void {
  if (ask.token !== zeroAddress && !isAddressEqual(ask.to, account.address))
    throw beyond([`${ask.to} is not your account, ${account.address}`])
  if (ask.token === zeroAddress && ask.amount > dayOfGas)
    throw beyond([`${ask.amount} wei for gas`, `${dayOfGas} at most`])
}

/** Refuses a root that the desk's account did not sign itself. */
export async function requireOwnRoot(desk: Desk, root: Delegation): Promise<void> {
  if (!(await isOwn(desk, root))) throw beyond(['this account did not sign what is kept for the Golem'])
}

/** The roots that the account has really signed for a Golem, whatever else is kept. */
async function signedRoots(desk: Desk, store: Kept, golem: Hash): Promise<readonly Delegation[]> {
  const kept = (await knownGrants(store, golem)).flatMap(({ of, delegation }) =>
    of === 'golem' && isRoot(delegation) ? [delegation] : [],
  )
  const signed = await Promise.all(kept.map((root) => isOwn(desk, root)))
  return kept.filter((_, place) => signed[place])
}

async function isOwn(desk: Desk, root: Delegation): Promise<boolean> {
  return isAddressEqual(root.delegator, desk.account.address) && isSigned(desk, root)
}

function boundsOf({ delegator, authority, caveats }: Delegation): string {
  const bounds = caveats.map(({ enforcer, terms }) => [enforcer, terms])
  return JSON.stringify([delegator, authority, bounds]).toLowerCase()
}

function beyond(details: readonly string[]): BardoError {
  return new BardoError('This asks for more than you have signed for.', {
    code: 'ACTION_NOT_ALLOWED',
    details,
    remedy:
      'Say no. If it is what you want, do it from your own wallet; and look who can write to the database.',
    docsPath: 'requests.md#kinds',
  })
}
