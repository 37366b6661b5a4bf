import type { Address, Hex } from 'viem'
import type { ChainState, HookContext, Read } from '../caveatKind.ts'
import { classBits, settlementClasses } from '../execution/actionClass.ts'
import { addressInWord, digitsOf, lengthOf, loadWord } from '../execution/digits.ts'
import { ownAddress, type Plan } from '../execution/plan.ts'
import type { Mandate } from '../terms/mandate.ts'
import { answerTo } from '../verdict/ask.ts'
import { questions } from '../verdict/questions.ts'
import { Missing, refuse, refuseAs } from '../verdict/refuse.ts'
import { balanceOf, type Flows, type Opened } from './flows.ts'
import { centsUp, microsOf, microsPerCent, quoteOf } from './prices.ts'
import { larger } from './vaultNav.ts'

/** What an owner enacted, as PolicyCage keeps it. */
type Constitution = {
  readonly shares: ReadonlyMap<Address, bigint>
  readonly perTxCents: bigint
  readonly perSessionCents: bigint
  readonly perDayCents: bigint
  readonly sessionSeconds: bigint
  readonly maxDrawdownBps: bigint
}

/** What a lineage's row says about its sessions and its portfolio. */
export type ConstitutionalRow = {
  readonly sessionStart: bigint
  readonly sessionCents: bigint
  readonly highWaterCents: bigint
}

// Closing positions, also by a swap into the settlement asset with the approval that it needs.
const closing = settlementClasses | classBits.unwind | classBits.approve

/** What a hash stands for; refuses one that nobody enacted. */
function constitutionOf(context: HookContext, chain: ChainState, hash: Hex): Constitution {
  const read = questions.constitutionOf(ownAddress(context, chain, questions.policyCage), digitsOf(hash))
  const { ok, data } = answerTo(chain, read)
  if (!ok) return data.length > 2 ? refuse('ConstitutionNotFound', hash) : refuseAs(data)
  return decodedConstitution(read, data)
}

function decodedConstitution(read: Read, data: Hex): Constitution {
  const digits = digitsOf(data)
  const word = (index: number) => loadWord(digits, 32 * index)
  // One struct behind its offset: where the list is, five limits, the document, and then the list.
  const count = Number(word(8))
  if (lengthOf(digits) < 32 * (9 + 2 * count)) throw new Missing([read])
  const shares = new Map(
    Array.from({ length: count }, (_, i) => [addressInWord(word(9 + 2 * i)), word(10 + 2 * i)] as const),
  )
  return {
    shares,
    perTxCents: word(2),
    perSessionCents: word(3),
    perDayCents: word(4),
    sessionSeconds: word(5),
    maxDrawdownBps: word(6),
  }
}

/** Before anything moves: it exists, and approves of every asset that is named. */
export function requireConstitutionalPlan(
  context: HookContext,
  chain: ChainState,
  hash: Hex,
  mandate: Mandate,
  plan: Plan,
): void {
  const constitution = constitutionOf(context, chain, hash)
  for (const [place, { token }] of mandate.assets.entries())
    if (plan.out[place] !== 0n) requireApproved(constitution, hash, token)
}

/**
 * Afterwards: what moved, what was spent, what is held.
 *
 * @param dayCents - what the lineage has spent in the last 24 hours, this execution included
 * @param rowOf - asked only where it is needed
 */
export function requireConstitutional(
  context: HookContext,
  chain: ChainState,
  hash: Hex,
  mandate: Mandate,
  opened: Opened,
  flows: Flows,
  dayCents: bigint,
  rowOf: () => ConstitutionalRow,
): void {
  const constitution = constitutionOf(context, chain, hash)
  for (const place of flows.moved) {
    const token = mandate.assets[place]?.token
    if (token) requireApproved(constitution, hash, token)
  }
  const cents = centsUp(flows.outMicros)
  // What takes nothing is not refused, whatever was spent before.
  if (cents !== 0n) requireWithinLimits(constitution, chain.timestamp, cents, dayCents, rowOf())
  // Closing a position always passes, even while a feed is down.
  if ((opened.plan.classes & ~closing) !== 0) requireSound(constitution, chain, hash, mandate, opened, rowOf)
}

function requireApproved({ shares }: Constitution, hash: Hex, token: Address): void {
  if (!shares.has(token)) refuse('AssetNotApproved', hash, token)
}

function requireWithinLimits(
  { perTxCents, perSessionCents, perDayCents, sessionSeconds }: Constitution,
  now: bigint,
  cents: bigint,
  dayCents: bigint,
  { sessionStart, sessionCents }: ConstitutionalRow,
): void {
  const inSession = (now >= sessionStart + sessionSeconds ? 0n : sessionCents) + cents
  if (cents > perTxCents) refuse('TransactionLimitExceeded', cents, perTxCents)
  if (inSession > perSessionCents) refuse('SessionLimitExceeded', inSession, perSessionCents)
  if (dayCents > perDayCents) refuse('DayLimitExceeded', dayCents, perDayCents)
}

function requireSound(
  { shares, maxDrawdownBps }: Constitution,
  chain: ChainState,
  hash: Hex,
  mandate: Mandate,
  { balances }: Opened,
  rowOf: () => ConstitutionalRow,
): void {
  let [beforeMicros, nowMicros] = [0n, 0n]
  const grown: { readonly token: Address; readonly held: bigint }[] = []
  for (const [place, asset] of mandate.assets.entries()) {
    const before = balances[place] ?? 0n
    const now = balanceOf(chain, asset.token, mandate.account)
    if (before === 0n && now === 0n) continue
    const quote = quoteOf(chain, asset)
    const held = microsOf(now, quote)
    beforeMicros += microsOf(before, quote)
    nowMicros += held
    if (now > before && held !== 0n) grown.push({ token: asset.token, held })
  }
  const nowCents = nowMicros / microsPerCent
  // What was there before counts, or the first execution could lose it all.
  const highest = larger(rowOf().highWaterCents, beforeMicros / microsPerCent)
  if (nowCents < highest && (highest - nowCents) * 10_000n > highest * maxDrawdownBps)
    refuse('DrawdownExceeded', highest, nowCents, maxDrawdownBps)
  for (const { token, held } of grown) {
    const maxBps = shares.get(token) ?? refuse('AssetNotApproved', hash, token)
    const cents = centsUp(held)
    if (cents * 10_000n > nowCents * maxBps) refuse('ConcentrationExceeded', token, cents, nowCents, maxBps)
  }
}
