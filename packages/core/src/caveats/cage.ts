import { zeroHash } from 'viem'
import { boundKind, type Row, type Usage } from './boundKind.ts'
import { cageCoverage } from './cage/cageCoverage.ts'
import {
  type CageTerms,
  encodeCageTerms,
  readCageTerms,
  readKnownCageTerms,
  requireKnown,
} from './cage/cageTerms.ts'
import { cagePhases, describeCage } from './cage/cageWords.ts'
import type { ChainState, HookContext, Traces } from './caveatKind.ts'
import { classBits, requireAllowedIn, swapClasses } from './execution/actionClass.ts'
import { type Digits, digitsOf, loadWord, wordOf } from './execution/digits.ts'
import type { Plan } from './execution/plan.ts'
import { requireAllowance } from './measure/allowance.ts'
import { requireConstitutional, requireConstitutionalPlan } from './measure/constitution.ts'
import { coSigningDigest, nonceIn, requireSigned } from './measure/coSigners.ts'
import { requireFair } from './measure/fairSpot.ts'
import { balanceOf, close, type Flows, type Opened, open, planBefore } from './measure/flows.ts'
import { frameOf } from './measure/frames.ts'
import { enforcerOf, meteredReads, type RowKey, readable, rowWords, unique } from './measure/gather.ts'
import { requireRested, requireWithin } from './measure/lifetime.ts'
import { centsUp, requireSequencerUp } from './measure/prices.ts'
import { lastExecutionIn, spendFromBudget, spentNow } from './measure/rollingBudget.ts'
import { planForAuthor, requireRoyalty } from './measure/royalty.ts'
import { requireWithinSlippage } from './measure/slippage.ts'
import { usedInDay, wordsIn } from './measure/used.ts'
import { navLimitMicros, requireWithinNav, smaller } from './measure/vaultNav.ts'
import { effectivePhase, requireAliveAndAwake, requireMood } from './measure/vitalSigns.ts'
import { lastSecond } from './replicantBudget.ts'
import { requireBps } from './terms/mandate.ts'
import { checkedTerms, decodedTerms } from './terms/packed.ts'
import { coSigningReads, nonceRead } from './threshold.ts'
import { navReads } from './vaultNAV.ts'
import { askOwn, rewriting } from './verdict/ask.ts'
import { judge } from './verdict/judge.ts'
import { feedRead, questions } from './verdict/questions.ts'
import { refuse } from './verdict/refuse.ts'

const name = 'Cage'

/** Every bound of Bardo in one caveat. */
export const cage = boundKind<CageTerms>({
  name,
  encode: (terms) => checkedTerms(name, encodeCageTerms(terms), readKnownCageTerms),
  decode: (terms) => decodedTerms(name, terms, readKnownCageTerms),
  covers: cageCoverage,
  describe: describeCage,
  account: ({ mandate }) => mandate.account,
  window: ({ end, life }) => ({
    last: life && lastSecond(life) < BigInt(end) ? lastSecond(life) : BigInt(end),
  }),
  usageReads: (terms, row) => [rowRead(row, terms)],
  usage: cageUsage,
  phases: cagePhases,
  reads: (terms, context) => {
    const known = readable(terms, readCageTerms)
    if (!known) return []
    const { mandate, nav, sequencer, coSigners } = known
    return unique([
      ...(coSigners ? coSigningReads(coSigners, context) : []),
      ...meteredReads(context, mandate),
      rowRead(context, known),
      ...(sequencer ? [feedRead(sequencer)] : []),
      ...(nav ? navReads(nav) : []),
    ])
  },
  evaluate: (raw, context) =>
    judge(context, (before) => {
      const digits = digitsOf(raw)
      const terms = readCageTerms(digits)
      if (terms.coSigners) requireCoSigned(context, before, terms.coSigners)
      const { plan, phase, navMicros } = judgeBefore(context, before, digits, terms)
      const opened = open(context, before, terms.golem, terms.mandate, plan)
      return (after) => judgeAfter(context, after, terms, opened, phase, navMicros)
    }),
  leaves: (terms, context) => {
    const known = readCageTerms(digitsOf(terms))
    return { rewrite: rewriteOf(context, known), frames: [frameOf(context, known.mandate, known.golem)] }
  },
})

/** The day's budget, and where they are bounded the executions and the life's budget. */
function cageUsage(terms: CageTerms, row: Row, state: ChainState): readonly Usage[] {
  const { dayCents, calls, life } = terms
  const [budget, made, everSpent] = wordsIn(state, rowRead(row, terms), 6) ?? []
  if (budget === undefined || made === undefined || everSpent === undefined) return []
  return [
    ...usedInDay(budget, dayCents, state),
    ...(calls === 0 ? [] : [{ spent: made, limit: BigInt(calls), unit: 'calls', renews: false } as const]),
    ...(life
      ? [{ spent: everSpent, limit: life.allowedCents, unit: 'usdCents', renews: false } as const]
      : []),
  ]
}

/** The nonce is used up and the execution counted before anything runs. */
function rewriteOf(context: HookContext, terms: CageTerms): NonNullable<Traces['rewrite']> {
  const nonce = terms.coSigners && rewriting(nonceRead(context, nonceIn(digitsOf(context.args))), 1n)
  // The last word of the question is a constitution, and the count is the same under each.
  const row = rowRead(context, terms)
  const asked = row.data.slice(0, -64)
  return (read, answer) => {
    const told = nonce ? nonce(read, answer) : answer
    const isRow = read.to.toLowerCase() === row.to && read.data.slice(0, -64).toLowerCase() === asked
    if (terms.calls === 0 || !told?.ok || !isRow) return told
    const digits = told.data.slice(2)
    return {
      ok: true,
      data: `0x${digits.slice(0, 64)}${wordOf(loadWord(digits, 32) + 1n)}${digits.slice(128)}`,
    }
  }
}

/** What `beforeHook` keeps for `afterHook`. */
type Judged = { readonly plan: Plan; readonly phase: number; readonly navMicros: bigint }

/** The nonce comes first: used ones are refused whoever signed. */
function requireCoSigned(
  context: HookContext,
  chain: ChainState,
  coSigners: NonNullable<CageTerms['coSigners']>,
): void {
  const args = digitsOf(context.args)
  const nonce = nonceIn(args)
  const [used = 0n] = askOwn(chain, nonceRead(context, nonce), 1)
  if (used !== 0n) refuse('NonceUsed', context.delegationHash, nonce)
  requireSigned(chain, coSigners, coSigningDigest(context, nonce), args)
}

function judgeBefore(context: HookContext, chain: ChainState, digits: Digits, terms: CageTerms): Judged {
  const { mandate, settlement, nav } = terms
  requireKnown(digits, terms)
  const plan = planBefore(context, chain, mandate, settlement)
  requireTime(context, chain, terms)
  requireSignedFor(plan, terms)
  const signs = requireAliveAndAwake(context, chain, terms.golem)
  const phase = effectivePhase(signs, chain.timestamp, terms.graceSeconds)
  requireAllowedIn(plan.classes, phase)
  if ((plan.classes & terms.restricted) !== 0) requireMood(signs, terms.mood)
  if (plan.pool) requireFair(chain, mandate, plan.pool, terms.spreadBps)
  if (terms.sequencer) requireSequencerUp(chain, terms.sequencer)
  if (terms.life) requireWithin(chain, terms.life.born, terms.life.born + terms.life.lifespanSeconds)
  if (terms.constitution) requireConstitutionalPlan(context, chain, terms.constitution, mandate, plan)
  return { plan, phase, navMicros: nav ? navMicrosOf(chain, terms, nav) : 0n }
}

function requireTime(context: HookContext, chain: ChainState, terms: CageTerms): void {
  requireWithin(chain, terms.start, terms.end)
  if (terms.cadenceSeconds === 0 && terms.calls === 0) return
  const row = rowOf(context, chain, terms)
  if (terms.cadenceSeconds !== 0) requireRested(chain, lastExecutionIn(row.budget), terms.cadenceSeconds)
  if (terms.calls !== 0 && row.calls + 1n > BigInt(terms.calls)) refuse('CallsUsedUp', BigInt(terms.calls))
}

function requireSignedFor(plan: Plan, { classes, methods, pairs }: CageTerms): void {
  if ((plan.classes & ~classes) !== 0) refuse('ClassNotAllowed', BigInt(plan.classes), BigInt(classes))
  if ((plan.methods & ~methods) !== 0) refuse('MethodNotAllowed', BigInt(plan.methods), BigInt(methods))
  if ((plan.pairs & ~pairs) !== 0n) refuse('PairNotAllowed', plan.pairs, pairs)
}

function judgeAfter(
  context: HookContext,
  chain: ChainState,
  terms: CageTerms,
  opened: Opened,
  phase: number,
  navMicros: bigint,
): void {
  const { mandate } = terms
  const { plan } = opened
  const flows = close(chain, mandate, opened)
  if ((plan.classes & swapClasses) !== 0)
    requireWithinSlippage(flows.outMicros, flows.inMicros, terms.slippageBps)
  if (plan.pool) requireFair(chain, mandate, plan.pool, terms.spreadBps)
  const cents = centsUp(flows.outMicros)
  const maxCents = BigInt(terms.dollarsByPhase[phase] ?? 0) * 100n
  if (cents > maxCents) refuse('SizeExceeded', cents, maxCents, BigInt(phase))
  const budget = spendFromBudget(rowOf(context, chain, terms).budget, chain.timestamp, cents, terms.dayCents)
  judgeSections(context, chain, terms, opened, flows, navMicros, budget)
  if ((plan.classes & classBits.sale) !== 0 && terms.royalty)
    requireSaleRoyalty(context, chain, terms, opened)
}

function judgeSections(
  context: HookContext,
  chain: ChainState,
  terms: CageTerms,
  opened: Opened,
  flows: Flows,
  navMicros: bigint,
  budget: bigint,
): void {
  const { mandate, nav, life, constitution } = terms
  if (nav) requireWithinNav(flows.outMicros, smaller(navMicros, navMicrosOf(chain, terms, nav)))
  const cents = centsUp(flows.outMicros)
  // What takes nothing is not refused: an allowance that was lowered must not keep positions from closing.
  if (life && cents !== 0n) requireAllowance(rowOf(context, chain, terms).everSpent, cents, life.allowedCents)
  if (!constitution) return
  const day = spentNow(budget, chain.timestamp)
  requireConstitutional(context, chain, constitution, mandate, opened, flows, day, () =>
    rowOf(context, chain, terms),
  )
}

function requireSaleRoyalty(
  context: HookContext,
  chain: ChainState,
  terms: CageTerms,
  { balances }: Opened,
): void {
  const { mandate, royalty } = terms
  if (!royalty) return
  requireBps(royalty.bps)
  const plan = planForAuthor(context, chain, mandate, royalty.author)
  for (const [place, { token }] of mandate.assets.entries()) {
    const now = balanceOf(chain, token, mandate.account)
    requireRoyalty(plan, place, token, balances[place] ?? 0n, now, royalty.bps)
  }
}

function navMicrosOf(chain: ChainState, { mandate }: CageTerms, nav: NonNullable<CageTerms['nav']>): bigint {
  requireBps(nav.bps)
  return navLimitMicros(chain, mandate, nav)
}

function rowRead(context: RowKey, { golem, constitution }: CageTerms) {
  const words = rowWords(context, digitsOf(golem))
  return questions.lineageState(enforcerOf(context), ...words, digitsOf(constitution ?? zeroHash))
}

/** What the Cage remembers of the lineage. */
function rowOf(context: HookContext, chain: ChainState, terms: CageTerms) {
  const words = askOwn(chain, rowRead(context, terms), 6)
  const [budget = 0n, calls = 0n, everSpent = 0n, highWaterCents = 0n, sessionStart = 0n, sessionCents = 0n] =
    words
  return { budget, calls, everSpent, highWaterCents, sessionStart, sessionCents }
}
