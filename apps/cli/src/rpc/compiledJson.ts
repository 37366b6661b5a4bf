import {
  type CompiledStrategy,
  constitutionSentences,
  type Evidence,
  formatDollars,
  formatExactDuration,
  formatMinute,
  type LiquidityRules,
  mostInADay,
  type PermissionPlan,
  phaseNames,
  type ReplicantLimits,
} from '@bardo/core'
import type { DelegationBounds } from '@bardo/wallets'
import { formatUnits } from 'viem'

/** A permission as a sentence, with the sentences of the strategy that ask for it. */
export type Permission = {
  readonly sentence: string
  readonly because: readonly Evidence[]
  /** The strategy does not state it. */
  readonly isDefault: boolean
}

/** A compiled strategy as plain JSON: sentences, and the numbers behind them. */
export function compiledJson(compiled: CompiledStrategy, members: ReadonlyMap<string, string> = new Map()) {
  const { plan, runway, capabilities, ambiguities, setNothing } = compiled
  return {
    grants: plan.classes.length > 0,
    permissions: sentences(compiled, members),
    numbers: {
      dayCents: `${plan.dayCents}`,
      mostInADayCents: `${dayOf(plan)}`,
      sizeCents: plan.sizeCents.map(String),
      slippageBps: plan.slippageBps,
      cadenceSeconds: plan.cadenceSeconds,
      calls: plan.calls,
      window: { start: Number(plan.window.start), end: Number(plan.window.end) },
      mood: plan.sections.mood ?? null,
      totals: (plan.sections.totals ?? []).map(({ periodSeconds, cents }) => ({
        periodSeconds,
        cents: `${cents}`,
      })),
      gasMicroEtherPerDay: plan.sections.gas ? `${plan.sections.gas.microEtherPerDay}` : null,
      floorBps: plan.sections.floorBps ?? null,
      sizeShareBps: plan.sections.sizeShares?.bps.map((bps) => bps ?? null) ?? null,
      portfolioCents:
        plan.sections.sizeShares?.portfolioCents === undefined
          ? null
          : `${plan.sections.sizeShares.portfolioCents}`,
      sale: plan.sections.sale ?? null,
    },
    notGranted: capabilities.filter(({ status }) => status !== 'granted'),
    questions: ambiguities.map(({ line, sentence, question, outcome }) => ({
      line,
      sentence,
      question,
      outcome,
    })),
    setNothing: setNothing.map(({ line, sentence }) => ({ line, sentence })),
    runwayCentsPerDay: runway ? `${runway.usdcCentsPerDay}` : null,
  }
}

function sentences(
  { plan, replicants, liquidity, windDown }: CompiledStrategy,
  members: ReadonlyMap<string, string>,
): readonly Permission[] {
  // The owner signs keys, so the keys are shown: a name is only a name in a database.
  const withKey = (member: string) => {
    const key = members.get(member.toLowerCase())
    return key ? `${member} (${key})` : member
  }
  const { reasons, classes, pairs, targets, cadenceSeconds, calls, slippageBps, window } = plan
  if (classes.length === 0) return []
  const say = (sentence: string, permission: string): Permission => {
    const because = reasons.find((reason) => reason.permission === permission)?.because ?? []
    return { sentence, because, isDefault: because.length === 0 }
  }
  const vaults = targets.flatMap((target) => (target.role === 'vault' ? [target.asset] : []))
  const pools = targets.flatMap((target) => (target.role === 'pool' ? [target.assets] : []))
  const publishing = targets.flatMap((target) => (target.role === 'publish' ? [target.name] : []))
  const { vaultNav, coSigners, constitution } = plan.sections
  return [
    ...pairs.map(({ from, to }) => {
      const isLate = windDown.some((pair) => pair.from === from && pair.to === to)
      const when = isLate ? '; it does so only when it winds down' : ''
      return say(`It may swap ${from} for ${to} on Uniswap V3${when}.`, `pair ${from}→${to}`)
    }),
    ...vaults.flatMap((asset) => [
      ...(classes.includes('deposit')
        ? [say(`It may deposit ${asset} into the vault.`, 'class deposit')]
        : []),
      ...(classes.includes('withdraw')
        ? [
            say(`It may withdraw ${asset} from the vault to your account.`, 'class withdraw'),
            say(floorSentence(asset, plan), 'floor'),
          ]
        : []),
    ]),
    ...pools.flatMap(([one, other]) => [
      ...(classes.includes('addLiquidity')
        ? [say(`It may provide liquidity for ${one} and ${other}.`, 'class addLiquidity')]
        : []),
      say(`It may withdraw liquidity of ${one} and ${other} to your account.`, 'class removeLiquidity'),
    ]),
    ...(liquidity
      ? [{ sentence: liquiditySentence(liquidity), because: liquidity.because, isDefault: false }]
      : []),
    ...(replicants ? [say(replicantSentence(replicants), 'class spawn')] : []),
    say(
      `At most ${formatDollars(dayOf(plan))} leaves your account in any 24 hours${plan.sections.gas ? ', without gas' : ''}.`,
      'dayCents',
    ),
    ...(plan.sections.totals ?? []).map((total) =>
      say(totalSentence(total), `totals[${total.periodSeconds}]`),
    ),
    say(sizeSentence(plan), 'sizeCents'),
    ...shareSentences(plan).map((sentence) => say(sentence, 'sizeShares')),
    ...(cadenceSeconds > 0
      ? [say(`It acts at most once every ${intervalText(cadenceSeconds)}.`, 'cadenceSeconds')]
      : []),
    ...(calls > 0
      ? [
          say(
            calls === 1 ? 'It acts only once in total.' : `It acts at most ${calls} times in total.`,
            'calls',
          ),
        ]
      : []),
    ...(vaultNav
      ? [
          say(
            `One action moves at most ${vaultNav.bps / 100} % of what the ${vaultNav.asset} vault holds.`,
            'vaultNav',
          ),
        ]
      : []),
    ...(coSigners
      ? [
          say(
            `Every action needs ${coSigners.threshold} of ${coSigners.members.length} co-signatures: ${coSigners.members.map(withKey).join(', ')}. Closing a position at its death needs them too.`,
            'coSigners',
          ),
        ]
      : []),
    ...(pairs.length > 0 ? [say(slippageSentence(slippageBps), 'slippageBps')] : []),
    ...(constitution
      ? constitutionSentences(constitution).map(({ part, sentence }) =>
          say(`Constitution: ${sentence}`, `constitution ${part}`),
        )
      : []),
    ...moodSentences(plan, reasons).map((sentence) => say(sentence, plan.sections.mood ? 'mood' : 'anyMood')),
    ...(plan.sections.gas ? [say(gasSentence(plan.sections.gas), 'gas')] : []),
    ...publishing.map((name) =>
      say(`It may publish through the signed method of ${name}, which moves nothing.`, 'class publish'),
    ),
    ...(plan.sections.sale && classes.includes('sale')
      ? [
          say(
            `It may sell knowledge through the signed method, and pays ${plan.sections.sale.bps / 100} % of each sale to ${plan.sections.sale.author} in the same transaction. It may pay this address at other times too, within the limits above.`,
            'sale',
          ),
        ]
      : []),
    say(`It expires after ${formatExactDuration(Number(window.end - window.start))}.`, 'window'),
    {
      sentence: plan.sections.sale
        ? 'Everything else that it buys or withdraws goes to your account and nowhere else.'
        : 'Everything it buys or withdraws goes to your account and nowhere else.',
      because: [],
      isDefault: false,
    },
  ]
}

/** An interval after “every”: `hour`, `15 minutes`. */
function intervalText(seconds: number): string {
  return formatExactDuration(seconds).replace(/^1 (?=\w+$)/, '')
}

/** The most that its actions move out in any 24 hours, under all limits of the plan together. */
function dayOf(plan: PermissionPlan): bigint {
  const { totals } = plan.sections
  return mostInADay({ ...plan, sizeCents: plan.sizeCents[0], totals })
}

function totalSentence({ periodSeconds, cents }: NonNullable<PermissionPlan['sections']['totals']>[number]) {
  return periodSeconds === 0
    ? `At most ${formatDollars(cents)} leaves your account over its whole life, however often you feed it.`
    : `At most ${formatDollars(cents)} leaves your account in any ${formatExactDuration(periodSeconds)}.`
}

/** The shares of the portfolio: in dollars if the portfolio is known. */
function shareSentences({ sections: { sizeShares } }: PermissionPlan): readonly string[] {
  return (sizeShares?.bps ?? []).flatMap((bps, phase) => {
    if (bps === undefined) return []
    const share = `${bps / 100} %`
    const portfolio = sizeShares?.portfolioCents
    const inDollars =
      portfolio === undefined
        ? 'turned into dollars when you sign, and fixed until you adjust the Golem'
        : `${share} of ${formatDollars(portfolio)} today = ${formatDollars(((portfolio * BigInt(bps)) / 10_000n / 100n) * 100n)}, fixed until you adjust the Golem`
    return [`One action moves at most ${share} of the portfolio while ${phaseNames[phase]}: ${inDollars}.`]
  })
}

function moodSentences({ sections: { mood } }: PermissionPlan, reasons: PermissionPlan['reasons']) {
  if (!mood)
    return reasons.some(({ permission }) => permission === 'anyMood')
      ? ['Mood does not limit its actions.']
      : []
  const { minPleasure, maxArousal, minDominance } = mood.bounds
  const parts = [
    ...(minPleasure > -100 ? [`pleasure is at least ${minPleasure}`] : []),
    ...(maxArousal < 100 ? [`arousal is at most ${maxArousal}`] : []),
    ...(minDominance > -100 ? [`dominance is at least ${minDominance}`] : []),
  ]
  return [
    `It opens positions only while its ${parts.join(', its ')}. Closing them never depends on its mood.`,
  ]
}

function gasSentence({
  microEtherPerDay,
  isDefault,
}: NonNullable<PermissionPlan['sections']['gas']>): string {
  const amount = `${formatUnits(microEtherPerDay, 6)} ETH`
  return isDefault
    ? `Its key may draw at most ${amount} from your account for gas in any 24 hours, and at most a tenth of the daily limit.`
    : `Its key may draw at most ${amount} from your account for gas in any 24 hours, within the limits in dollars.`
}

/** The default price floor of a vault. The signature holds the vault's rate at that time. */
function floorSentence(asset: string, { dayCents, sections: { floorBps = 9_900 } }: PermissionPlan): string {
  return `If the vault returns less than ${floorBps / 100} % of today’s rate in ${asset}, the difference counts as spent: at most ${formatDollars(dayCents)} in any 24 hours.`
}

/** The most that one action moves, by phase. */
function sizeSentence({ sizeCents: [thriving, stable, lean], settlement }: PermissionPlan): string {
  const first = `One action moves at most ${formatDollars(thriving)} while it is Thriving, ${stable === 0n ? 'nothing' : formatDollars(stable)} while Stable`
  return lean === 0n
    ? `${first}, and nothing after that.`
    : `${first}, and after that ${formatDollars(lean)}, into ${settlement} only.`
}

/** The limits that a local key's delegation enforces on the chain; the rest of its strategy is not enforced there. */
export function boundSentences(bounds: DelegationBounds, { slippageBps }: PermissionPlan): readonly string[] {
  const { maxDailySpendCents, maxTotalCalls, expiresAt, allowedTargets } = bounds
  const end = formatMinute(expiresAt)
  return [
    `At most ${formatDollars(maxDailySpendCents)} leaves your account in any 24 hours.`,
    `It acts at most ${maxTotalCalls} times in total.`,
    `It expires at ${end} UTC.`,
    `It may only call ${allowedTargets.join(', ')}.`,
    slippageSentence(slippageBps),
  ]
}

const slippageSentence = (bps: number) => `A swap loses at most ${bps / 100} % against the price feeds.`

function liquiditySentence({ fee, downBps, upBps, moves, collectSeconds, closes }: LiquidityRules): string {
  const pool = fee === undefined ? 'pool' : `pool with a fee of ${fee / 10_000} %`
  const parts = [
    `It opens its position in the ${pool}, from ${downBps / 100} % below to ${upBps / 100} % above the price`,
    moves ? 'moves the range when the price leaves it' : 'leaves the range when the price leaves it',
    ...(collectSeconds === undefined ? [] : [`collects fees every ${intervalText(collectSeconds)}`]),
    ...closes.map(({ type, cents }) => `closes it at a price ${type} ${formatDollars(cents)}`),
  ]
  return `${parts.join(', ')}.`
}

function replicantSentence({ most, dayCents, lifespanSeconds, everySeconds }: ReplicantLimits): string {
  const life = lifespanSeconds === undefined ? 'until its own end' : `for ${intervalText(lifespanSeconds)}`
  const alone =
    everySeconds === undefined ? '' : ` It creates one by itself every ${intervalText(everySeconds)}.`
  const many = most === 1 ? '1 child Golem (Replicant)' : `${most} child Golems (Replicants)`
  return `It may have ${many} at the same time, each with at most ${formatDollars(dayCents)} a day ${life}, within its own limits.${alone}`
}
