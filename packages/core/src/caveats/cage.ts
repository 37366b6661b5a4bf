import { type Address, zeroAddress } from 'viem'
import { boundKind } from './boundKind.ts'
import { cageCoverage } from './cage/cageCoverage.ts'
import { gasWord, rowLength, rowOf, rowRead, rowReads, totalIn } from './cage/cageRow.ts'
import {
  type CageTerms,
  encodeCageTerms,
  type GasBound,
  readCageTerms,
  readKnownCageTerms,
  requireKnown,
  weiPerMicroEther,
} from './cage/cageTerms.ts'
import { cageUsage } from './cage/cageUsage.ts'
import { cagePhases, describeCage } from './cage/cageWords.ts'
import type { ChainState, HookContext, RulesVersion, Traces } from './caveatKind.ts'
import { classBits, requireAllowedIn, swapClasses } from './execution/actionClass.ts'
import { type Digits, digitsOf, loadWord, plainAddress, wordOf } from './execution/digits.ts'
import type { Plan } from './execution/plan.ts'
import { requireAllowance } from './measure/allowance.ts'
import { requireConstitutional, requireConstitutionalPlan } from './measure/constitution.ts'
import { nonceIn, requireSigned } from './measure/coSigners.ts'
import { requireFair } from './measure/fairSpot.ts'
import { type HeldShares, sharesBefore, shortfallCents } from './measure/floors.ts'
import { balanceOf, close, type Flows, type Opened, open, planBefore } from './measure/flows.ts'
import { frameOf } from './measure/frames.ts'
import { requireRested, requireWithin } from './measure/lifetime.ts'
import { centsUp, requireSequencerUp } from './measure/prices.ts'
import { meteredReads, readable, unique } from './measure/reads.ts'
import { bookedIn, holds, lastExecutionIn, spendFromBudget, spentNow } from './measure/rollingBudget.ts'
import { planForAuthor, requireRoyalty } from './measure/royalty.ts'
import { requireWithinSlippage } from './measure/slippage.ts'
import { requireWithinTotal } from './measure/totals.ts'
import { isMoreThanClosing, navLimitMicros, requireWithinNav, smaller } from './measure/vaultNav.ts'
import { effectivePhase, requireAliveAndAwake, requireMood } from './measure/vitalSigns.ts'
import { lastSecond } from './replicantBudget.ts'
import { assetOf, requireBps } from './terms/mandate.ts'
import { checkedTerms, decodedTerms } from './terms/packed.ts'
import { coSigningReads, nonceRead } from './threshold.ts'
import { navReads } from './vaultNAV.ts'
import { dependencyOf } from './verdict/dependencies.ts'
import { evaluateManagedHooks } from './verdict/evaluateHooks.ts'
import { balanceRead, feedRead, questions } from './verdict/questions.ts'
import { refuse } from './verdict/refuse.ts'
import { askOwn, rewriting } from './verdict/staticRead.ts'

const name = 'Cage'

/** All of Bardo's limits in one caveat. */
export const cage = boundKind<CageTerms>({
  name,
  encode: (terms, rules) => checkedTerms(name, encodeCageTerms(terms), readKnownCageTerms, rules),
  decode: (terms, rules) => decodedTerms(name, terms, readKnownCageTerms, rules),
  covers: cageCoverage,
  describe: describeCage,
  account: ({ mandate }) => mandate.account,
  window: ({ end, life }) => ({
    last: life && lastSecond(life) < BigInt(end) ? lastSecond(life) : BigInt(end),
  }),
  usageReads: (terms, row) => rowReads(row, terms),
  usage: cageUsage,
  phases: cagePhases,
  reads: (terms, context) => {
    const decoded = readable(terms, readCageTerms, rulesOf(context))
    if (!decoded) return []
    const { mandate, nav, sequencer, floors, coSigners } = decoded
    return unique([
      ...(coSigners ? coSigningReads(coSigners, context) : []),
      ...meteredReads(context, mandate, gasRecipient(context, decoded)),
      ...rowReads(context, decoded),
      ...(floors ?? []).flatMap(({ vault }) => [balanceRead(vault, mandate.account), questions.asset(vault)]),
      ...(sequencer ? [feedRead(sequencer)] : []),
      ...(nav ? navReads(nav) : []),
    ])
  },
  evaluate: (raw, context) =>
    evaluateManagedHooks(context, (before) => {
      const digits = digitsOf(raw)
      const terms = readCageTerms(digits, rulesOf(context))
      if (terms.coSigners) requireCoSigned(context, before, terms.coSigners)
      const evaluated = evaluateBefore(context, before, digits, terms)
      const { plan } = evaluated
      const opened = open(context, before, terms.golem, terms.mandate, plan)
      if (terms.gas && drawsGas(plan)) requireWithinGas(context, before, terms, terms.gas, plan)
      const held = sharesBefore(before, terms.mandate, terms.floors, plan.vault)
      return (after) => evaluateAfter(context, after, terms, opened, evaluated, held)
    }),
  leaves: (terms, context) => {
    const decoded = readCageTerms(digitsOf(terms), rulesOf(context))
    return {
      rewrite: rewriteOf(context, decoded),
      frames: [frameOf(context, decoded.mandate, decoded.golem)],
    }
  },
})

/** The version of the enforcer. Default: 2. */
function rulesOf({ rules = 2 }: Pick<HookContext, 'rules'>): RulesVersion {
  return rules
}

/** The address that may draw gas: the redeemer, if the owner signed a gas cap. */
function gasRecipient({ redeemer }: Pick<HookContext, 'redeemer'>, { gas }: CageTerms): Address | undefined {
  return gas && plainAddress(redeemer)
}

function drawsGas({ classes }: Plan): boolean {
  return (classes & classBits.gas) !== 0
}

/** The gas that an execution draws, in millionths of the native currency, rounded up. */
function gasAsked({ mandate }: CageTerms, { out }: Plan): bigint {
  return ((out[assetOf(mandate, zeroAddress)] ?? 0n) + weiPerMicroEther - 1n) / weiPerMicroEther
}

function requireWithinGas(
  context: HookContext,
  chain: ChainState,
  terms: CageTerms,
  { microEtherPerDay: limit }: GasBound,
  plan: Plan,
): void {
  const spent = spentNow(rowOf(context, chain, terms).gasDrawn, chain.timestamp)
  const asked = gasAsked(terms, plan)
  if (asked > limit || spent + asked > limit) refuse('GasLimitExceeded', spent, asked, limit)
}

/** `beforeHook` consumes the nonce, counts the execution and books the gas before anything runs. */
function rewriteOf(context: HookContext, terms: CageTerms): NonNullable<Traces['rewrite']> {
  const nonce = terms.coSigners && rewriting(nonceRead(context, nonceIn(digitsOf(context.args))), 1n)
  // The call ends with a constitution and, in version 2, a period. Calls and gas do not depend on either.
  const row = rowRead(context, terms)
  const end = terms.version === 1 ? -64 : -128
  const asked = row.data.slice(0, end)
  const gas = gasDrawnBy(context, terms)
  return (read, answer) => {
    const rewritten = nonce ? nonce(read, answer) : answer
    const isRow = read.to.toLowerCase() === row.to && read.data.slice(0, end).toLowerCase() === asked
    if (!rewritten?.ok || !isRow) return rewritten
    const digits = rewritten.data.slice(2)
    if (gas !== undefined) {
      const drawn = bookedIn(loadWord(digits, gasWord), context.before.timestamp, gas)
      const [head, tail] = [digits.slice(0, 2 * gasWord), digits.slice(2 * gasWord + 64)]
      return { ok: true, data: `0x${head}${wordOf(drawn)}${tail}` }
    }
    if (terms.calls === 0) return rewritten
    return {
      ok: true,
      data: `0x${digits.slice(0, 64)}${wordOf(loadWord(digits, 32) + 1n)}${digits.slice(128)}`,
    }
  }
}

/** The gas that the execution draws; undefined if it does not draw gas. */
function gasDrawnBy(context: HookContext, terms: CageTerms): bigint | undefined {
  if (!terms.gas) return undefined
  const { mandate, settlement } = terms
  const plan = planBefore(context, context.before, mandate, settlement, gasRecipient(context, terms))
  return drawsGas(plan) ? gasAsked(terms, plan) : undefined
}

/** What `beforeHook` saves for `afterHook`. */
type Evaluated = {
  readonly plan: Plan
  readonly phase: number
  /** Undefined if no vault share limits the execution. */
  readonly navMicros: bigint | undefined
}

/** Check the nonce first: a used nonce is refused no matter who signed. */
function requireCoSigned(
  context: HookContext,
  chain: ChainState,
  coSigners: NonNullable<CageTerms['coSigners']>,
): void {
  const nonce = nonceIn(digitsOf(context.args))
  const [used = 0n] = askOwn(chain, nonceRead(context, nonce), 1)
  if (used !== 0n) refuse('NonceUsed', context.delegationHash, nonce)
  requireSigned(context, chain, coSigners)
}

function evaluateBefore(
  context: HookContext,
  chain: ChainState,
  digits: Digits,
  terms: CageTerms,
): Evaluated {
  const { mandate, settlement, nav } = terms
  requireKnown(digits, terms)
  const plan = planBefore(context, chain, mandate, settlement, gasRecipient(context, terms))
  requireTime(context, chain, terms, plan)
  requireSignedFor(plan, terms)
  const signs = requireAliveAndAwake(chain, dependencyOf(context, chain, 'vitals'), terms.golem)
  const phase = effectivePhase(signs, chain.timestamp, terms.graceSeconds)
  requireAllowedIn(plan.classes, phase)
  if ((plan.classes & terms.restricted) !== 0) requireMood(signs, terms.mood)
  if (plan.pool) requireFair(chain, mandate, plan.pool, terms.spreadBps)
  const isOpening = isMoreThanClosing(context, plan)
  if (terms.sequencer && isOpening) requireSequencerUp(chain, terms.sequencer)
  if (terms.life) requireWithin(chain, terms.life.born, terms.life.born + terms.life.lifespanSeconds)
  if (terms.constitution) requireConstitutionalPlan(context, chain, terms.constitution, mandate, plan)
  return { plan, phase, navMicros: nav && isOpening ? navMicrosOf(chain, terms, nav) : undefined }
}

function requireTime(context: HookContext, chain: ChainState, terms: CageTerms, plan: Plan): void {
  requireWithin(chain, terms.start, terms.end)
  // A gas draw is exempt from cadence and call count: a Golem that acts once a week could not pay for gas
  // otherwise.
  if (drawsGas(plan)) return
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

function evaluateAfter(
  context: HookContext,
  chain: ChainState,
  terms: CageTerms,
  opened: Opened,
  { plan, phase, navMicros }: Evaluated,
  held: HeldShares | undefined,
): void {
  const { mandate } = terms
  const flows = close(chain, mandate, opened)
  if ((plan.classes & swapClasses) !== 0)
    requireWithinSlippage(flows.outMicros, flows.inMicros, terms.slippageBps)
  if (plan.pool) requireFair(chain, mandate, plan.pool, terms.spreadBps)
  const left = centsUp(flows.outMicros)
  const maxCents = BigInt(terms.dollarsByPhase[phase] ?? 0) * 100n
  if (left > maxCents && !drawsGas(plan)) refuse('SizeExceeded', left, maxCents, BigInt(phase))
  const before = () => rowOf(context, chain, terms).budget
  const short = shortfallCents(chain, mandate, opened, held, (cents) =>
    holds(before(), chain.timestamp, left + cents, terms.dayCents),
  )
  const cents = left + short
  const budget = spendFromBudget(before(), chain.timestamp, cents, terms.dayCents)
  if (terms.nav && navMicros !== undefined)
    requireWithinNav(context, flows.outMicros, smaller(navMicros, navMicrosOf(chain, terms, terms.nav)))
  evaluateSections(context, chain, terms, opened, flows, cents, budget)
  if ((plan.classes & classBits.sale) !== 0 && terms.royalty)
    requireSaleRoyalty(context, chain, terms, opened)
}

function evaluateSections(
  context: HookContext,
  chain: ChainState,
  terms: CageTerms,
  opened: Opened,
  flows: Flows,
  cents: bigint,
  budget: bigint,
): void {
  const { mandate, life, totals, constitution } = terms
  // An execution that spends nothing always passes: a lowered allowance must not block closing positions.
  if (cents !== 0n) {
    if (life) requireAllowance(rowOf(context, chain, terms).everSpent, cents, life.allowedCents)
    for (const total of totals ?? []) {
      const words = askOwn(chain, rowRead(context, terms, total), rowLength(terms))
      requireWithinTotal(totalIn(words) ?? 0n, chain.timestamp, cents, total)
    }
  }
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
