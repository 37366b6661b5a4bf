import { BardoError, type Call, type Delegation, encodeExecution, type TypedDataWallet } from '@bardo/core'
import { type Address, decodeFunctionData, erc20Abi, isAddressEqual, type PublicClient } from 'viem'
import { evaluateRedemption, simulates } from '../explain/evaluateRedemption.ts'
import { explainRedemption } from '../explain/explainRedemption.ts'
import { refusedRedemption } from '../redemption/refusedRedemption.ts'
import { assumeCoSigned } from './assumeCoSigned.ts'
import { type CoSignature, type CoSigningRequest, coSigningTypedData } from './coSign.ts'

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
  readonly links: readonly [Delegation, ...Delegation[]]
  readonly redeemer: Address
}

/**
 * Co-signs as one member, after its own evaluation: every call is within the member's limits, and with all co-signatures the
 * chain would carry this execution out now. Throws otherwise.
 *
 * @example
 * const signature = await coSignAsMember(member, { targets: [router], most: [{ token, amount }] }, question)
 * const leaf = await withCoSignatures(question, [signature, ...others])
 */
export async function coSignAsMember(
  member: TypedDataWallet & { readonly address: Address },
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
  const { deployment, redeemer, calls } = question
  const { client, links } = assumeCoSigned({ ...question, asked: question })
  const trial = { links, redeemer, execution: encodeExecution(calls) }
  const [evaluated, isDone] = await Promise.all([
    evaluateRedemption(client, deployment, trial),
    simulates(client, deployment, trial),
  ])
  if (!evaluated && isDone) return
  const refusal = evaluated ?? (await explainRedemption(client, deployment, trial))
  const error = refusedRedemption(refusal, { deployment, step: 0, outcome: 'not-sent' })
  throw error ?? refused('The simulation of this execution fails.', [])
}

function beyond(details: readonly string[]): BardoError {
  return refused('The execution exceeds what this member agrees to.', details)
}

function refused(message: string, details: readonly string[]): BardoError {
  return new BardoError(message, {
    code: 'ACTION_NOT_ALLOWED',
    details,
    remedy: 'Ask for co-signatures of a smaller or another execution.',
    docsPath: 'council.md',
  })
}
