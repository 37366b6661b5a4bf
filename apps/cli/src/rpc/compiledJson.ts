import {
  type CompiledStrategy,
  type Evidence,
  formatDollars,
  formatExactDuration,
  formatMinute,
  mostInADay,
  type PermissionPlan,
} from '@bardo/core'
import type { DelegationBounds } from '@bardo/wallets'

/** A permission as a sentence, with the sentences of the strategy that ask for it. */
export type Permission = {
  readonly sentence: string
  readonly because: readonly Evidence[]
  /** The strategy does not state it. */
  readonly isDefault: boolean
}

/** A compiled strategy as plain JSON: sentences, and the numbers behind them. */
export function compiledJson({ plan, runway, capabilities, ambiguities, setNothing }: CompiledStrategy) {
  return {
    grants: plan.classes.length > 0,
    permissions: sentences(plan),
    numbers: {
      dayCents: `${plan.dayCents}`,
      mostInADayCents: `${mostInADay({ ...plan, sizeCents: plan.sizeCents[0] })}`,
      sizeCents: plan.sizeCents.map(String),
      slippageBps: plan.slippageBps,
      cadenceSeconds: plan.cadenceSeconds,
      calls: plan.calls,
      window: { start: Number(plan.window.start), end: Number(plan.window.end) },
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

function sentences(plan: PermissionPlan): readonly Permission[] {
  const { reasons, classes, pairs, targets, sizeCents, cadenceSeconds, calls, slippageBps, window } = plan
  if (classes.length === 0) return []
  const say = (sentence: string, permission: string): Permission => {
    const because = reasons.find((reason) => reason.permission === permission)?.because ?? []
    return { sentence, because, isDefault: because.length === 0 }
  }
  const vaults = targets.flatMap((target) => (target.role === 'vault' ? [target.asset] : []))
  const pools = targets.flatMap((target) => (target.role === 'pool' ? [target.assets] : []))
  const { vaultNav } = plan.sections
  return [
    ...pairs.map(({ from, to }) => say(`It may swap ${from} for ${to} on Uniswap V3.`, `pair ${from}→${to}`)),
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
    ...(classes.includes('spawn') ? [say('It may create child Golems (Replicants).', 'class spawn')] : []),
    say(
      `At most ${formatDollars(mostInADay({ ...plan, sizeCents: sizeCents[0] }))} leaves your account in any 24 hours.`,
      'dayCents',
    ),
    say(sizeSentence(plan), 'sizeCents'),
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
    ...(pairs.length > 0 ? [say(slippageSentence(slippageBps), 'slippageBps')] : []),
    say(`It expires after ${formatExactDuration(Number(window.end - window.start))}.`, 'window'),
    {
      sentence: 'Everything it buys or withdraws goes to your account and nowhere else.',
      because: [],
      isDefault: false,
    },
  ]
}

/** An interval after “every”: `hour`, `15 minutes`. */
function intervalText(seconds: number): string {
  return formatExactDuration(seconds).replace(/^1 (?=\w+$)/, '')
}

/** The default price floor of a vault. The signature holds the vault's rate at that time. */
function floorSentence(asset: string, { dayCents }: PermissionPlan): string {
  return `If the vault returns less than 99 % of today’s rate in ${asset}, the difference counts as spent: at most ${formatDollars(dayCents)} in any 24 hours.`
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
