import { type Address, type Hex, zeroHash } from 'viem'
import type { ChainState, Read } from '../caveats/caveatKind.ts'
import { selectorOf } from '../caveats/execution/digits.ts'
import { view } from '../caveats/metamask/views.ts'
import { anyDelegate, type Delegation, isRoot, mayFollow } from './delegation.ts'

/** A refusal of the DelegationManager itself, before it calls any enforcer. */
export type ManagerRefusal = {
  readonly type: 'refuse'
  readonly name: 'EnforcedPause' | 'InvalidDelegate' | 'CannotUseADisabledDelegation' | 'InvalidAuthority'
  readonly data: Hex
  /** Undefined if the refusal does not concern a single link. */
  readonly link: number | undefined
  readonly remedy: string
}

const paused = view('paused()')
const disabledDelegations = view('disabledDelegations(bytes32)')

/** The reads of the manager's state. */
export function managerReads(hashes: readonly Hex[], manager: Address): readonly Read[] {
  return [paused(manager), ...hashes.map((hash) => disabledDelegations(manager, hash))]
}

/** The manager's own checks in its own order, except signatures. */
export function evaluateLinks(
  links: readonly Delegation[],
  hashes: readonly Hex[],
  { manager, redeemer, before }: { manager: Address; redeemer: Address; before: ChainState },
):
  | ManagerRefusal
  | { readonly type: 'pass' }
  | { readonly type: 'unknown'; readonly missing: readonly Read[] } {
  const missing: Read[] = []
  const isSet = (read: Read) => {
    const answer = before.answer(read)
    if (!answer?.ok) missing.push(read)
    return answer?.ok === true && answer.data !== zeroHash && /[^0]/.test(answer.data.slice(2))
  }
  if (isSet(paused(manager))) {
    return refuse('EnforcedPause', undefined, 'Wait until MetaMask’s DelegationManager is no longer paused.')
  }
  const delegate = links[0]?.delegate.toLowerCase()
  if (delegate !== anyDelegate && delegate !== redeemer.toLowerCase()) {
    return refuse('InvalidDelegate', 0, `Redeem as ${links[0]?.delegate} instead of ${redeemer}.`)
  }
  for (const [i, link] of links.entries()) {
    if (isSet(disabledDelegations(manager, hashes[i] ?? '0x'))) {
      return refuse(
        'CannotUseADisabledDelegation',
        i,
        `Ask for a new delegation: ${link.delegator} revoked this one.`,
      )
    }
    const parent = links[i + 1]
    if (parent ? link.authority.toLowerCase() !== hashes[i + 1] : !isRoot(link)) {
      return refuse('InvalidAuthority', i, 'Send every link up to the root, leaf first.')
    }
    if (parent && !mayFollow(parent, link)) {
      return refuse(
        'InvalidDelegate',
        i,
        `Have ${parent.delegate} sign this link instead of ${link.delegator}.`,
      )
    }
  }
  return missing.length > 0 ? { type: 'unknown', missing } : { type: 'pass' }
}

function refuse(name: ManagerRefusal['name'], link: number | undefined, remedy: string): ManagerRefusal {
  return { type: 'refuse', name, data: selectorOf(`${name}()`), link, remedy }
}
