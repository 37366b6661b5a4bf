import { coSignAsMember, findCoSigned, type MemberQuestion } from '@bardo/chain'
import { BardoError } from '@bardo/core'
import type { Wallet } from '@bardo/wallets'
import { isAddressEqual } from 'viem'
import { cleanText } from '../events/cleanText.ts'
import { recordEvents } from '../events/recordEvents.ts'
import { outageOf } from '../observeOnly/observeOnly.ts'
import type { GolemParts } from '../permission/golemParts.ts'
import type { SignedPermission } from '../permission/signedPermission.ts'
import type { GolemState } from '../state/golemState.ts'
import { memberLimits } from './memberLimits.ts'
import { coSigningOf, type Proposal, proposalKind, readProposal } from './proposal.ts'
import { proposalProgress } from './proposalProgress.ts'
import { type MemberAnswer, readAnswers, writeAnswer } from './storedAnswers.ts'
import { wakeGolems } from './wakeGolems.ts'

/** The most pending proposals that one tick looks at, and the most that it answers. */
const [mostRead, mostAnswered] = [1_000, 5]

/**
 * Answers the proposals that name this Golem's active key as a co-signer: signs after its own evaluation of the proposed
 * bytes, or stores why not. A Golem that is paused, in observe-only mode, asleep, or with a changed strategy answers nothing.
 */
export async function coSignProposals(
  parts: GolemParts,
  permission: SignedPermission,
  { recovery, dream, phase }: Pick<GolemState, 'recovery' | 'dream' | 'phase'>,
): Promise<void> {
  const { id, store, keys } = parts
  if (recovery.type !== 'acting' || dream.type !== 'awake' || !permission.isStrategySigned) return
  if ((await store.golemStates.find(id))?.pausedAt !== undefined) return
  const pending = await store.ownerRequests.pendingOfKind(proposalKind, mostRead)
  if (pending.length === 0) return
  const wallet = await keys.open()
  if (!wallet) return
  let answered = 0
  for (const request of pending) {
    const proposal = readProposal(request)
    const question = proposal && questionFor(parts, proposal, wallet)
    if (!question || answered === mostAnswered) continue
    const before = await readAnswers(store, request.golem, request.id)
    if (before.some((answer) => isAddressEqual(answer.key, wallet.address) && isSettled(answer))) continue
    answered += 1
    const answer = await answerTo(parts, permission, { wallet, question, phase })
    if (!answer) continue
    await store.transaction(async (transaction) => {
      await writeAnswer(transaction, request.golem, request.id, answer)
      const by = answer.key
      recordEvents(transaction, id, [
        answer.type === 'signed'
          ? { name: 'council.coSigned', request: request.id, by }
          : { name: 'council.refused', request: request.id, by, because: answer.because },
      ])
    })
    // The proposer ticks when it can commit, or when it has to give up.
    const progress = await proposalProgress(parts, request)
    const open = progress?.members.filter(({ state }) => state === 'open').length ?? 0
    if (progress && (progress.valid >= progress.threshold || open === 0))
      await wakeGolems(store, [request.golem])
  }
}

/**
 * Answers one proposal as this Golem, without storing it: for a proposal of another data folder.
 *
 * @returns undefined during an outage
 */
export async function answerTo(
  parts: Pick<GolemParts, 'client' | 'deployment'>,
  permission: SignedPermission,
  {
    wallet,
    question,
    phase,
  }: { readonly wallet: Wallet; readonly question: MemberQuestion; readonly phase: GolemState['phase'] },
): Promise<MemberAnswer | undefined> {
  try {
    const limits = await memberLimits(parts, permission, phase)
    return { type: 'signed', ...(await coSignAsMember(wallet, limits, question)) }
  } catch (error) {
    if (!(error instanceof BardoError) || error.code === 'INTERNAL') throw error
    if (outageOf(error)) return undefined
    const because = cleanText([error.shortMessage, ...error.details].join(' '))
    return { type: 'refused', key: wallet.address, because, isFinal: !error.retryable }
  }
}

/** What this wallet is asked to sign, rebuilt from the proposal's bytes; undefined if they do not name its key. */
export function questionFor(
  { client, deployment }: Pick<GolemParts, 'client' | 'deployment'>,
  proposal: Proposal,
  { address }: Pick<Wallet, 'address'>,
): MemberQuestion | undefined {
  const asked = coSigningOf(deployment, proposal)
  const keys = asked
    ? findCoSigned(deployment, [asked.delegation]).flatMap((link) => link.coSigners.keys)
    : []
  return asked && keys.some((key) => isAddressEqual(key, address)) ? { ...asked, client } : undefined
}

function isSettled(answer: MemberAnswer): boolean {
  return answer.type === 'signed' || answer.isFinal
}
