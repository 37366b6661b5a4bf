import type { CompiledStrategy, Evidence, PermissionPlan } from '@bardo/core'
import type { DelegationBounds } from '@bardo/wallets'

/** A permission in a sentence, and what of the strategy asked for it. Without evidence it is a default. */
export type Permission = { readonly sentence: string; readonly because: readonly Evidence[] }

/** A compiled strategy as plain JSON: sentences for people, and the numbers behind them. */
export function compiledJson({ plan, runway, capabilities, ambiguities }: CompiledStrategy) {
  return {
    grants: plan.classes.length > 0,
    permissions: sentences(plan),
    numbers: {
      dayCents: `${plan.dayCents}`,
      sizeCents: plan.sizeCents.map(String),
      slippageBps: plan.slippageBps,
      cadenceSeconds: plan.cadenceSeconds,
      window: { start: Number(plan.window.start), end: Number(plan.window.end) },
    },
    notGranted: capabilities.filter(({ status }) => status !== 'granted'),
    questions: ambiguities.map(({ line, sentence, question }) => ({ line, sentence, question })),
    runwayCentsPerDay: runway ? `${runway.usdcCentsPerDay}` : null,
  }
}

function sentences(plan: PermissionPlan): readonly Permission[] {
  const { reasons, classes, pairs, targets, dayCents, sizeCents, cadenceSeconds, slippageBps, window } = plan
  if (classes.length === 0) return []
  const because = (permission: string) =>
    reasons.find((reason) => reason.permission === permission)?.because ?? []
  const say = (sentence: string, permission: string): Permission => ({
    sentence,
    because: because(permission),
  })
  const vaults = targets.flatMap((target) => (target.role === 'vault' ? [target.asset] : []))
  const pools = targets.flatMap((target) => (target.role === 'pool' ? [target.assets] : []))
  return [
    ...pairs.map(({ from, to }) => say(`It may swap ${from} for ${to} on Uniswap V3.`, `pair ${from}→${to}`)),
    ...vaults.flatMap((asset) => [
      ...(classes.includes('deposit') ? [say(`It may put ${asset} into the vault.`, 'class deposit')] : []),
      ...(classes.includes('withdraw')
        ? [say(`It may take ${asset} out of the vault, to you.`, 'class withdraw')]
        : []),
    ]),
    ...pools.flatMap(([one, other]) => [
      ...(classes.includes('addLiquidity')
        ? [say(`It may provide liquidity for ${one} and ${other}.`, 'class addLiquidity')]
        : []),
      say(`It may take liquidity of ${one} and ${other} out, to you.`, 'class removeLiquidity'),
    ]),
    ...(classes.includes('spawn') ? [say('It may have Replicants.', 'class spawn')] : []),
    say(`In any 24 hours at most ${dollars(dayCents)} leave your account.`, 'dayCents'),
    say(
      `One action moves at most ${dollars(sizeCents[0])}, ${dollars(sizeCents[1])} once it is not thriving any more.`,
      'dayCents',
    ),
    ...(cadenceSeconds > 0
      ? [say(`It acts at most every ${duration(cadenceSeconds)}.`, 'cadenceSeconds')]
      : []),
    ...(pairs.length > 0
      ? [say(`A swap loses at most ${slippageBps / 100} % against the price feeds.`, 'slippageBps')]
      : []),
    say(`It ends after ${duration(Number(window.end - window.start))}.`, 'window'),
    say('What it buys or takes out goes to your account and nowhere else.', ''),
  ]
}

/** What a local key's delegation holds on the chain, and nothing else of its strategy. */
export function boundSentences(bounds: DelegationBounds): readonly string[] {
  const { maxDailySpendCents, maxTotalCalls, expiresAt, allowedTargets } = bounds
  const end = new Date(Number(expiresAt) * 1_000).toISOString().slice(0, 16).replace('T', ' ')
  return [
    `In any 24 hours at most ${dollars(maxDailySpendCents)} leave your account.`,
    `It acts at most ${maxTotalCalls} times in all.`,
    `It ends at ${end} UTC.`,
    `It calls no contract but ${allowedTargets.join(', ')}.`,
  ]
}

/** Cents as dollars. */
export const dollars = (cents: bigint | string) => `$${(Number(cents) / 100).toFixed(2)}`

const units = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const

/** Seconds in the largest unit that they are a whole number of; otherwise in the largest two. */
export function duration(seconds: number): string {
  if (seconds < 1) return 'no time'
  const parts: string[] = []
  let rest = Math.floor(seconds)
  for (const [size, name] of units) {
    const many = Math.floor(rest / size)
    rest -= many * size
    if (many > 0) parts.push(`${many} ${name}${many === 1 ? '' : 's'}`)
    if (parts.length === 2) break
  }
  return parts.join(' and ')
}
