import type { Address, Hex } from 'viem'
import type { ChainState, HookContext, Read } from '../caveatKind.ts'
import { classBits, settlementClasses } from '../execution/actionClass.ts'
import { addressInWord, digitsOf, lengthOf, loadWord } from '../execution/digits.ts'
import type { Plan } from '../execution/plan.ts'
import type { Mandate } from '../terms/mandate.ts'
import { dependencyOf } from '../verdict/dependencies.ts'
import { questions } from '../verdict/questions.ts'
import { Missing, refuse, refuseAs } from '../verdict/refuse.ts'
import { answerTo } from '../verdict/staticRead.ts'
import { balanceOf, type Flows, type Opened } from './flows.ts'
import { centsUp, isPriced, microsOf, microsPerCent, quoteOf } from './prices.ts'
import { larger } from './vaultNav.ts'

/** A constitution that an owner enacted, as PolicyCage stores it. */
type Constitution = {
  readonly shares: ReadonlyMap<Address, bigint>
  readonly perTxCents: bigint
  readonly perSessionCents: bigint
  readonly perDayCents: bigint
  readonly sessionSeconds: bigint
  readonly maxDrawdownBps: bigint
}

/** A lineage's session and portfolio state. */
export type ConstitutionalRow = {
  readonly sessionStart: bigint
  readonly sessionCents: bigint
  readonly highWaterCents: bigint
}

// Closing positions, including a swap into the settlement asset with its approval.
const closing = settlementClasses | classBits.unwind | classBits.approve

/** The constitution with this hash; refuses a hash that is not enacted. */
function constitutionOf(context: HookContext, chain: ChainState, hash: Hex): Constitution {
  const read = questions.constitutionOf(dependencyOf(context, chain, 'policyCage'), digitsOf(hash))
  const { ok, data } = answerTo(chain, read)
  if (!ok) return data.length > 2 ? refuse('ConstitutionNotFound', hash) : refuseAs(data)
  return decodedConstitution(read, data)
}

function decodedConstitution(read: Read, data: Hex): Constitution {
  const digits = digitsOf(data)
  const word = (index: number) => loadWord(digits, 32 * index)
  // One struct after its offset: the offset of the list, five limits, the document, then the list.
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

/** Before the execution: the constitution exists and approves every asset involved. */
export function requireConstitutionalPlan(
  context: HookContext,
  chain: ChainState,
  hash: Hex,
  mandate: Mandate,
  plan: Plan,
): void {
  const constitution = constitutionOf(context, chain, hash)
  for (const [place, { token }] of mandate.assets.entries())
    if (plan.out[place] !== 0n) requireApproved(constitution, hash, token, plan)
}

/**
 * After the execution: checks what moved, what was spent and what is held.
 *
 * @param dayCents - the lineage's spending in the last 24 hours, including this execution
 * @param rowOf - called only when needed
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
    if (token) requireApproved(constitution, hash, token, opened.plan)
  }
  const cents = centsUp(flows.outMicros)
  // An execution that spends nothing passes, whatever was spent before.
  if (cents !== 0n) requireWithinLimits(constitution, chain.timestamp, cents, dayCents, rowOf())
  // Closing a position always passes, even while a price feed is down.
  if ((opened.plan.classes & ~closing) !== 0)
    requireSound(context, constitution, chain, hash, mandate, opened, rowOf)
}

/** Native currency has no address to approve. For gas the owner signed a separate cap. */
function requireApproved({ shares }: Constitution, hash: Hex, token: Address, { classes }: Plan): void {
  if ((classes & classBits.gas) === 0 && !shares.has(token)) refuse('AssetNotApproved', hash, token)
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
  { rules }: HookContext,
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
    // Dust of an asset whose feed is down must not block the rest; version 1 required a price for it.
    if (rules !== 1 && before === now && !isPriced(chain, asset)) continue
    const quote = quoteOf(chain, asset)
    const held = microsOf(now, quote)
    beforeMicros += microsOf(before, quote)
    nowMicros += held
    if (now > before && held !== 0n) grown.push({ token: asset.token, held })
  }
  const nowCents = nowMicros / microsPerCent
  // Count the portfolio before the execution, or the first execution could lose all of it.
  const highest = larger(rowOf().highWaterCents, beforeMicros / microsPerCent)
  if (nowCents < highest && (highest - nowCents) * 10_000n > highest * maxDrawdownBps)
    refuse('DrawdownExceeded', highest, nowCents, maxDrawdownBps)
  for (const { token, held } of grown) {
    const maxBps = shares.get(token) ?? refuse('AssetNotApproved', hash, token)
    // Rounding to cents, as version 1 did, can make a single asset larger than the whole portfolio.
    const [value, total] = rules === 1 ? [centsUp(held), nowCents] : [held, nowMicros]
    if (value * 10_000n > total * maxBps) refuse('ConcentrationExceeded', token, value, total, maxBps)
  }
}
