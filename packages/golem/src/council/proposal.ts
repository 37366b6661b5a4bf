import { type CoSigningRequest, findCoSigned, type MemberQuestion } from '@bardo/chain'
import { type Call, type Delegation, type Deployment, decodeContext, hashDelegation } from '@bardo/core'
import type { OwnerRequest } from '@bardo/store'
import {
  type Address,
  encodeAbiParameters,
  type Hash,
  type Hex,
  keccak256,
  maxUint256,
  stringToHex,
} from 'viem'
import { z } from 'zod'

/** The kind of the request under which a proposal is filed. */
export const proposalKind = 'cosign'

/** An execution that waits for co-signatures. */
export type Proposal = {
  readonly type: typeof proposalKind
  /** The signed delegations, leaf first. */
  readonly context: Hex
  /** The hash of the one whose co-signers are asked. */
  readonly delegation: Hash
  readonly calls: readonly { readonly to: Address; readonly value: bigint; readonly data: Hex }[]
  readonly nonce: bigint
  /** The most that it spends, by the proposer's own prices. Nothing checks it here: the Cage measures. */
  readonly valueCents: bigint
}

const hex = z.templateLiteral(['0x', z.string().regex(/^(?:[0-9a-fA-F]{2})*$/)])
const address = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]{40}$/)])
const hash = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]{64}$/)])
const unsigned = z.bigint().min(0n).max(maxUint256)

/** A proposal as it is stored and printed. */
export const proposalSchema: z.ZodType<Proposal> = z.strictObject({
  type: z.literal(proposalKind),
  context: hex,
  delegation: hash,
  calls: z.array(z.strictObject({ to: address, value: unsigned, data: hex })).min(1),
  nonce: unsigned,
  valueCents: unsigned,
})

/** Parses a stored proposal; undefined for a row of another kind, or an unreadable one. */
export function readProposal({ kind, body }: Pick<OwnerRequest, 'kind' | 'body'>): Proposal | undefined {
  const parsed = kind === proposalKind ? proposalSchema.safeParse(body) : undefined
  return parsed?.data
}

/**
 * What the co-signers of a proposal sign, rebuilt from its bytes. Undefined if the link names no co-signers.
 */
export function coSigningOf(
  deployment: Deployment,
  { context, delegation: hash, calls, nonce }: Pick<Proposal, 'context' | 'delegation' | 'calls' | 'nonce'>,
): (CoSigningRequest & Pick<MemberQuestion, 'links' | 'redeemer'>) | undefined {
  const [leaf, ...above] = decodeContext(context)
  if (!leaf) return undefined
  const links = [leaf, ...above] as const
  const coSigned = findCoSigned(deployment, links).find(
    ({ delegation }) => hashDelegation(delegation) === hash.toLowerCase(),
  )
  if (!coSigned) return undefined
  return { deployment, delegation: coSigned.delegation, links, redeemer: leaf.delegate, calls, nonce }
}

const callTypes = [
  { type: 'tuple[]', components: [{ type: 'address' }, { type: 'uint256' }, { type: 'bytes' }] },
  { type: 'bytes32' },
] as const

/** The id of the proposal for exactly these calls of an intent under this delegation. */
export function proposalId(intentId: string, calls: readonly Call[], delegation: Hash): string {
  const tuples = calls.map(({ to, value = 0n, data = '0x' }) => [to, value, data] as const)
  const hash = keccak256(encodeAbiParameters(callTypes, [tuples, delegation]))
  return `${proposalPrefix(intentId)}${hash.slice(2, 10)}`
}

/** What the ids of all proposals of an intent begin with. */
export function proposalPrefix(intentId: string): string {
  return `cosign-${keccak256(stringToHex(intentId)).slice(2, 12)}-`
}

/** A delegation without the signatures of an earlier use: `args` are not signed. */
export function withoutArgs(delegation: Delegation): Delegation {
  return { ...delegation, caveats: delegation.caveats.map((caveat) => ({ ...caveat, args: '0x' })) }
}
