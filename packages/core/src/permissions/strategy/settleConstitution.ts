import { type ConstitutionRules, completeRules, constitutionSentences, narrowRules } from '../constitution.ts'
import type { Evidence, PermissionPlan, Reason } from '../permissionPlan.ts'
import { mostEvidence } from '../planLimits.ts'
import type { StatedRules } from './readRules.ts'
import type { Ambiguity } from './readSentence.ts'

/** Adds the constitution that the rules state together: in every point the narrowest counts. */
export function settleConstitution(
  plan: PermissionPlan,
  stated: readonly StatedRules[],
  ambiguities: Ambiguity[],
): PermissionPlan {
  const [first, ...others] = stated
  if (!first || plan.classes.length === 0) return plan
  const rules = others.reduce((all, one) => narrowRules(all, one.rules), first.rules)
  const constitution = completeRules(rules, plan.assets)
  if (!constitution) return plan
  const refused = plan.assets.filter((asset) => !constitution.shares.some((share) => share.asset === asset))
  if (refused.length > 0)
    ambiguities.push({
      ...first.from,
      question: `The constitution does not approve ${refused.join(', ')}: every action with it is refused.`,
      outcome: 'check',
    })
  const locks = plan.classes.some((name) => name === 'deposit' || name === 'addLiquidity')
  if (locks && constitution.maxDrawdownBps < 10_000)
    ambiguities.push({
      ...first.from,
      question:
        'Money in a vault or a pool is not part of the portfolio: a deposit counts as a loss until it is withdrawn.',
      outcome: 'check',
    })
  const because = (part: string): readonly Evidence[] =>
    stated
      .filter(({ rules: one }) => speaksOf(one, part))
      .map(({ from }) => from)
      .slice(0, mostEvidence)
  const reasons = constitutionSentences(constitution).map(
    ({ part }): Reason => ({ permission: `constitution ${part}`, because: because(part) }),
  )
  return {
    ...plan,
    sections: { ...plan.sections, constitution },
    reasons: [...plan.reasons, ...reasons],
  }
}

function speaksOf(rules: ConstitutionRules, part: string): boolean {
  const [kind, asset = ''] = part.split(' ')
  switch (kind) {
    case 'approved':
      return rules.approved !== undefined
    case 'share':
      return rules.shareBps?.[asset] !== undefined || rules.eachShareBps !== undefined
    case 'perTxCents':
      return rules.perTxCents !== undefined
    case 'perSessionCents':
      return rules.perSessionCents !== undefined
    case 'perDayCents':
      return rules.perDayCents !== undefined
    default:
      return rules.maxDrawdownBps !== undefined
  }
}
