import {
  type CoSignedLink,
  findCoSigned,
  isNonceUsed,
  validCoSignatures,
  withCoSignatures,
} from '@bardo/chain'
import { BardoError, type Call, type Delegation, encodeContext, hashDelegation } from '@bardo/core'
import { type Hash, isAddressEqual } from 'viem'
import { cleanText } from '../events/cleanText.ts'
import { fileRequest } from '../events/fileRequest.ts'
import { recordEvents } from '../events/recordEvents.ts'
import type { GolemParts } from '../permission/golemParts.ts'
import {
  coSigningOf,
  type Proposal,
  proposalId,
  proposalKind,
  proposalPrefix,
  readProposal,
  withoutArgs,
} from './proposal.ts'
import { type MemberAnswer, readAnswers, removeAnswers } from './storedAnswers.ts'
import { wakeGolems } from './wakeGolems.ts'

type Links = readonly [Delegation, ...Delegation[]]
type Parts = Pick<GolemParts, 'id' | 'store' | 'client' | 'deployment' | 'clock'>

/** An execution, and the intent that carries it out once. */
export type Execution = {
  readonly intentId: string
  readonly links: Links
  readonly calls: readonly Call[]
  readonly valueCents: bigint
}

/** The links to redeem with, or the proposal that waits for signatures. */
export type Collected =
  | { readonly type: 'signed'; readonly links: Links }
  | { readonly type: 'waiting'; readonly proposal: string; readonly because: string }

/** How long a proposal waits: a day, so that a person who sleeps sees it. */
const patienceMs = 86_400_000
/** The most pending proposals that are searched for a nonce in use. */
const mostProposals = 1_000

/**
 * The co-signatures of exactly these calls. If a link names co-signers and too few have signed, files a proposal once and
 * returns `waiting`. Throws `TOO_FEW_SIGNATURES` if the proposal ended without enough of them.
 *
 * The calls are the caller's own: a changed row in the database can lose signatures, and never changes what is executed.
 */
export async function collectCoSignatures(parts: Parts, execution: Execution): Promise<Collected> {
  const { deployment } = parts
  let { links } = execution
  const waiting: Extract<Collected, { type: 'waiting' }>[] = []
  // Each link has its own co-signers: they are asked at the same time.
  for (const link of findCoSigned(deployment, execution.links)) {
    const collected = await collectFor(parts, execution, link)
    if (collected.type === 'waiting') {
      waiting.push(collected)
      continue
    }
    const [leaf, ...above] = links
    const inPlace = (one: Delegation) => (one === link.delegation ? collected.delegation : one)
    links = [inPlace(leaf), ...above.map(inPlace)]
  }
  return waiting[0] ?? { type: 'signed', links }
}

/** The same for the co-signers of one link. */
async function collectFor(
  parts: Parts,
  { intentId, links, calls, valueCents }: Execution,
  link: CoSignedLink,
): Promise<
  { readonly type: 'signed'; readonly delegation: Delegation } | Extract<Collected, { type: 'waiting' }>
> {
  const { id: golem, store, deployment, clock } = parts
  const { delegation, coSigners } = link
  const { threshold, keys } = coSigners
  const id = proposalId(intentId, calls, hashDelegation(delegation))
  const filed = await store.ownerRequests.find(id)
  if (!filed) return file()
  const stored = readProposal(filed)
  const request = { deployment, delegation, calls, nonce: stored?.nonce ?? 0n }
  const answers = await readAnswers(store, golem, id)
  const signatures = answers.flatMap((answer) => (answer.type === 'signed' ? [answer] : []))
  const valid = await validCoSignatures(request, signatures)
  if (filed.state === 'refused' || filed.state === 'withdrawn') throw ended('it was refused or withdrawn')
  if (valid.length >= threshold)
    return { type: 'signed', delegation: await withCoSignatures(request, signatures) }
  const refusals = answers.filter(isFinalRefusal)
  const open = keys.filter((key) => !refusals.some((answer) => isAddressEqual(answer.key, key)))
  const words = refusals.map(({ key, because }) => `${key}: ${cleanText(because)}`)
  if (open.length < threshold) throw ended('too many co-signers refused', words)
  if (filed.state !== 'pending' || (filed.expiresAt !== undefined && filed.expiresAt <= clock.now()))
    throw ended('it expired', words)
  return waiting(valid.length)

  async function file() {
    const proposal: Proposal = {
      type: proposalKind,
      context: encodeContext(links.map(withoutArgs)),
      delegation: hashDelegation(delegation),
      calls: calls.map(({ to, value = 0n, data = '0x' }) => ({ to, value, data })),
      nonce: await freeNonce(),
      valueCents,
    }
    const expiresAt = clock.now() + patienceMs
    const request = { id, golem, kind: proposalKind, body: proposal, expiresAt } as const
    await store.transaction((transaction) => fileRequest(transaction, request))
    await wakeGolems(store, await store.sessionKeys.activeGolems(keys))
    return waiting(0)
  }

  /**
   * The lowest nonce that neither the chain nor a pending proposal of this delegation has used. The nonce of an expired
   * proposal is used again: once the next execution lands, old signatures are void.
   */
  async function freeNonce(): Promise<bigint> {
    const hash = hashDelegation(delegation)
    const pending = await store.ownerRequests.pendingOfKind(proposalKind, mostProposals)
    const taken = pending.flatMap((row) => {
      const proposal = readProposal(row)
      const asked = proposal && coSigningOf(deployment, proposal)
      return asked && hashDelegation(asked.delegation) === hash ? [asked.nonce] : []
    })
    // Nonces are used in order, so that the first free one is found in few reads.
    let [used, free] = [0n, 1n]
    while (await isUsed(free)) [used, free] = [free, 2n * free]
    while (free - used > 1n) {
      const middle = (used + free) / 2n
      if (await isUsed(middle)) used = middle
      else free = middle
    }
    while (taken.includes(free) || (await isUsed(free))) free += 1n
    return free
  }

  function isUsed(nonce: bigint): Promise<boolean> {
    return isNonceUsed(parts, link, nonce)
  }

  function waiting(signed: number) {
    const because = `${signed} of ${threshold} co-signatures; ${keys.length} co-signers`
    return { type: 'waiting', proposal: id, because } as const
  }

  function ended(why: string, details: readonly string[] = []): BardoError {
    return new BardoError(`The proposal ended without enough co-signatures: ${why}.`, {
      code: 'TOO_FEW_SIGNATURES',
      outcome: 'not-sent',
      details: [`proposal ${id}`, `valid: ${valid.length} of ${threshold}`, ...details],
      remedy: 'The next tick decides again.',
      docsPath: 'council.md',
    })
  }
}

/**
 * Closes the proposals of an intent that is over, and deletes their signatures.
 *
 * @param outcome - the transaction that carried it out; undefined if nothing landed
 */
export async function endProposals(
  { id: golem, store, deployment }: Pick<GolemParts, 'id' | 'store' | 'deployment'>,
  links: Links,
  intentId: string,
  outcome: Hash | undefined,
): Promise<void> {
  if (findCoSigned(deployment, links).length === 0) return
  const prefix = proposalPrefix(intentId)
  const filed = (await store.ownerRequests.pending(golem)).filter(({ id }) => id.startsWith(prefix))
  for (const { id } of filed) {
    await store.transaction(async (transaction) => {
      const granted = outcome !== undefined
      const answer = granted ? { transaction: outcome } : {}
      if (await transaction.ownerRequests.answer(id, granted ? 'approved' : 'refused', answer))
        recordEvents(transaction, golem, [{ name: 'owner.requestAnswered', request: id, granted }])
    })
    await removeAnswers(store, golem, id)
  }
}

function isFinalRefusal(answer: MemberAnswer): answer is Extract<MemberAnswer, { type: 'refused' }> {
  return answer.type === 'refused' && answer.isFinal
}
