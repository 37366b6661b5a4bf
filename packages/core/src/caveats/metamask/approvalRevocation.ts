import type { Address, Hex } from 'viem'
import type { Read } from '../caveatKind.ts'
import { type ApprovalRevocationTerms, approvalRevocationTerms } from '../terms/metamaskTerms.ts'
import { addressAt, demand, demandWellFormed, size, slice, word } from './bytes.ts'
import { answered, metamaskKind, type Single } from './metamaskKind.ts'
import { view } from './views.ts'
import { coveredIf, either } from './words.ts'

const enforcer = 'ApprovalRevocationEnforcer'
const permit2: Address = '0x000000000022d473030f116ddee9f6b43ac78ba3'
const allowance = view('allowance(address,address)')
const getApproved = view('getApproved(uint256)')
const isApprovedForAll = view('isApprovedForAll(address,address)')
const [approve, setApprovalForAll] = ['0x095ea7b3', '0xa22cb465']

const ways = [
  ['erc20Approve', 'ERC-20 approvals'],
  ['erc721Approve', 'approvals of single NFTs'],
  ['erc721SetApprovalForAll', 'approvals of whole collections'],
  ['permit2Approve', 'approvals in Permit2'],
  ['permit2Lockdown', 'approvals in Permit2, many at once'],
  ['permit2InvalidateNonces', 'signed approvals for Permit2'],
] as const satisfies readonly (readonly [keyof ApprovalRevocationTerms, string])[]

/** ApprovalRevocation: only revokes approvals, in the signed ways. */
export const approvalRevocation = metamaskKind<ApprovalRevocationTerms>({
  name: 'ApprovalRevocation',
  calls: 'single',
  encode: approvalRevocationTerms.encode,
  decode: approvalRevocationTerms.decode,
  covers(parent, child) {
    const more = ways.filter(([way]) => child[way] && !parent[way]).map(([, words]) => words)
    return coveredIf(more.length === 0, `the child may revoke ${either(more)}; the parent may not`)
  },
  describe: (terms) =>
    `may only revoke ${either(ways.filter(([way]) => terms[way]).map(([, words]) => words))}`,
  reads(_, { execution, delegator }) {
    const read = revokedBy(callOf(execution.calldata), delegator)
    return read ? [read] : []
  },
  before(terms, hook) {
    const flags = flagsOf(terms)
    const call = hook.single()
    demand(call.value === 0n, `${enforcer}:invalid-value`, 'Send no native currency.')
    demandLength(size(call.callData) >= 4)
    const permitted = permit2Calls.get(slice(call.callData, 0, 4))
    if (permitted) {
      demandAllowed(flags, permitted.flag, permitted.name)
      permitted.evaluate(call)
      return
    }
    demandLength(size(call.callData) === 68)
    checkTokenCall(flags, call)
    const read = revokedBy(call, hook.delegator)
    if (read) demandStanding(read, hook.read(read))
  },
})

/** Permit2's own methods: checks the target and, for `approve`, that everything is set to zero. */
const permit2Calls = new Map<Hex, { flag: number; name: string; evaluate(call: Single): void }>([
  ['0x87517c45', { flag: 8, name: 'permit2-approve', evaluate: checkPermit2Approve }],
  ['0xcc53287f', { flag: 16, name: 'permit2-lockdown', evaluate: demandPermit2 }],
  ['0x65d9723c', { flag: 32, name: 'permit2-invalidate-nonces', evaluate: demandPermit2 }],
])

function checkPermit2Approve(call: Single): void {
  demandPermit2(call)
  demand(
    size(call.callData) === 132,
    `${enforcer}:permit2-invalid-execution-length`,
    'Call approve(token, spender, 0, 0).',
  )
  demand(word(call.callData, 68) === 0n, `${enforcer}:non-zero-amount`, 'Set the amount to zero.')
  demand(word(call.callData, 100) === 0n, `${enforcer}:non-zero-expiration`, 'Set the expiration to zero.')
}

function demandPermit2({ target }: Single): void {
  demand(target === permit2, `${enforcer}:invalid-permit2-target`, `Call Permit2 at ${permit2}.`)
}

/** `setApprovalForAll(operator, false)`, `approve(0, id)` of an NFT, `approve(spender, 0)` of a token. */
function checkTokenCall(flags: number, { callData }: Single): void {
  const selector = slice(callData, 0, 4)
  if (selector === setApprovalForAll) {
    demandAllowed(flags, 4, 'setApprovalForAll')
    demand(word(callData, 36) === 0n, `${enforcer}:not-a-revocation`, 'Set the approval to false.')
    return
  }
  demand(selector === approve, `${enforcer}:invalid-method`, 'Call approve or setApprovalForAll.')
  if (clearsApproval(callData)) {
    demandAllowed(flags, 2, 'erc721-approve')
    return
  }
  demandAllowed(flags, 1, 'erc20-approve')
  demand(word(callData, 36) === 0n, `${enforcer}:non-zero-amount`, 'Approve zero.')
}

/** The read of the approval to revoke; undefined if no read is needed. */
function revokedBy({ target, callData }: Single, delegator: Address): Read | undefined {
  if (size(callData) !== 68) return undefined
  const [selector, who] = [slice(callData, 0, 4), addressAt(callData, 16)]
  if (selector === setApprovalForAll) return isApprovedForAll(target, delegator, who)
  if (selector !== approve) return undefined
  return clearsApproval(callData)
    ? getApproved(target, word(callData, 36))
    : allowance(target, delegator, who)
}

function demandStanding(read: Read, answer: Hex): void {
  const standing = answered(answer)
  if (read.data.startsWith(getApproved(permit2).data)) demandWellFormed(standing < 1n << 160n)
  if (read.data.startsWith(isApprovedForAll(permit2).data)) demandWellFormed(standing < 2n)
  demand(standing !== 0n, `${enforcer}:no-approval-to-revoke`, 'There is no approval to revoke.')
}

function clearsApproval(callData: Hex): boolean {
  return BigInt(addressAt(callData, 16)) === 0n
}

function callOf(calldata: Hex): Single {
  const bytes = calldata.toLowerCase() as Hex
  return { target: addressAt(bytes, 0), value: word(bytes, 20), callData: slice(bytes, 52) }
}

function demandLength(condition: boolean): void {
  demand(
    condition,
    `${enforcer}:invalid-execution-length`,
    'Call one of the methods that revoke an approval.',
  )
}

function demandAllowed(flags: number, flag: number, name: string): void {
  demand(
    (flags & flag) !== 0,
    `${enforcer}:${name}-not-allowed`,
    'Ask the owner to sign for this method as well.',
  )
}

function flagsOf(terms: Hex): number {
  demand(size(terms) === 1, `${enforcer}:invalid-terms-length`, 'Sign terms of one byte.')
  const flags = Number(terms)
  demand(flags !== 0, `${enforcer}:no-methods-allowed`, 'Sign for at least one method.')
  demand(flags < 64, `${enforcer}:invalid-terms`, 'Sign only for methods that exist.')
  return flags
}
