import { BardoError, type Call, caveatRegistry, type Delegation, encodeExecution } from '@bardo/core'
import { type Address, decodeFunctionData, erc20Abi, isAddressEqual, type PublicClient } from 'viem'
import { evaluateRounds } from '../explain/evaluateRounds.ts'
import { readState } from '../reads/readState.ts'
import { type CoSignature, type CoSigningRequest, coSigningTypedData, isThreshold } from './coSign.ts'
import type { Member } from './councilSigner.ts'

/** What one member of a council agrees to, whatever the delegation allows. */
export type MemberLimits = {
  /** Contracts that may be called, besides the tokens of `most`. */
  readonly targets: readonly Address[]
  /** The most of each token that one execution approves and transfers, in base units. */
  readonly most: readonly { readonly token: Address; readonly amount: bigint }[]
}

/** What a member is asked to sign, and who redeems it. */
export type MemberQuestion = CoSigningRequest & {
  readonly client: PublicClient
  /** Leaf first. One of them is the co-signed delegation. */
  readonly links: readonly Delegation[]
  readonly redeemer: Address
}

/**
 * Co-signs as one member, after its own evaluation: every call is within the member's limits, and neither the manager nor any
 * caveat of any link refuses this execution now, except the co-signing that is under way. Throws otherwise.
 *
 * @example
 * const signature = await coSignAsMember(member, { targets: [router], most: [{ token, amount }] }, question)
 * const leaf = await withCoSignatures(question, [signature, ...others])
 */
export async function coSignAsMember(
  member: Member,
  limits: MemberLimits,
  question: MemberQuestion,
): Promise<CoSignature> {
  requireWithin(limits, question.calls)
  await requireUnrefused(question)
  const typed = coSigningTypedData(question, member.address)
  return { key: member.address, signature: await member.signTypedData(typed) }
}

function requireWithin({ targets, most }: MemberLimits, calls: readonly Call[]): void {
  const spent = most.map(() => 0n)
  for (const { to, value = 0n, data = '0x' } of calls) {
    if (value > 0n) throw beyond([`the call to ${to} sends ${value} wei; this member agrees to none`])
    const place = most.findIndex(({ token }) => isAddressEqual(token, to))
    if (place >= 0) spent[place] = (spent[place] ?? 0n) + movedBy(to, data)
    else if (!targets.some((target) => isAddressEqual(target, to)))
      throw beyond([`${to} is not a contract that this member agrees to`])
  }
  const over = most.flatMap(({ token, amount }, place) => {
    const moved = spent[place] ?? 0n
    return moved > amount ? [`${token}: ${moved} requested, at most ${amount}`] : []
  })
  if (over.length > 0) throw beyond(over)
}

/** What a call of a token approves or transfers. Any other method is refused. */
function movedBy(token: Address, data: NonNullable<Call['data']>): bigint {
  try {
    const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data })
    if (functionName === 'approve' || functionName === 'transfer') return args[1]
  } catch {
    // Another method of the token.
  }
  throw beyond([`${token}: only approve and transfer are known to this member, not ${data.slice(0, 10)}`])
}

async function requireUnrefused(question: MemberQuestion): Promise<void> {
  const { client, deployment, links, redeemer, calls } = question
  const { verdict } = await evaluateRounds(
    {
      links,
      registry: caveatRegistry(deployment),
      question: {
        chainId: deployment.chainId,
        manager: deployment.framework.DelegationManager,
        redeemer,
        execution: encodeExecution(calls),
      },
    },
    async (reads) => ({ before: await readState(client, deployment, reads) }),
  )
  const refusals = verdict.caveats.flatMap(({ link, enforcer, name, verdict: one }) =>
    one.type === 'refuse' && !isThreshold(deployment, enforcer)
      ? [`link ${link}: ${name ?? enforcer} refuses with ${one.refusal.name}`]
      : [],
  )
  if (verdict.manager.type === 'refuse') refusals.unshift(`the manager refuses with ${verdict.manager.name}`)
  if (refusals.length > 0) throw refused('The delegation does not allow this execution.', refusals)
}

function beyond(details: readonly string[]): BardoError {
  return refused('The execution exceeds what this member agrees to.', details)
}

function refused(message: string, details: readonly string[]): BardoError {
  return new BardoError(message, {
    code: 'ACTION_NOT_ALLOWED',
    details,
    remedy: 'Ask for co-signatures of a smaller or another execution.',
    docsPath: 'redeeming.md#councils',
  })
}
