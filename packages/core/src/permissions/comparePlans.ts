import { type ActionClass, classNames } from '../caveats/execution/actionClass.ts'
import { methodNames } from '../caveats/execution/methods.ts'
import { type PermissionPlan, pairKey, targetKey } from './permissionPlan.ts'

/** One change between two plans. `other` cannot be compared; treat it as wider. */
export type PlanChange = {
  readonly field: string
  readonly before: string
  readonly after: string
  readonly direction: 'narrower' | 'wider' | 'other'
}

/**
 * Compares two plans; each change is narrower, wider or other. An empty list means the same authority.
 *
 * @example
 * comparePlans(old, adjusted).every(({ direction }) => direction === 'narrower') // nothing new is allowed
 */
export function comparePlans(before: PermissionPlan, after: PermissionPlan): PlanChange[] {
  const changes = [
    ...sets('class', before.classes, after.classes, classNames),
    ...sets('method', before.methods, after.methods, methodNames),
    ...sets('asset', before.assets, after.assets),
    ...sets('pair', before.pairs.map(pairKey), after.pairs.map(pairKey)),
    ...sets('target', before.targets.map(targetKey), after.targets.map(targetKey)),
    ...sets('payee', before.payees.map(lower), after.payees.map(lower)),
    ...bound('dayCents', before.dayCents, after.dayCents),
    ...before.sizeCents.flatMap((size, phase) =>
      bound(`sizeCents[${phase}]`, size, after.sizeCents[phase] ?? 0n),
    ),
    ...bound('slippageBps', BigInt(before.slippageBps), BigInt(after.slippageBps)),
    ...bound('spreadBps', BigInt(before.spreadBps), BigInt(after.spreadBps)),
    // A longer interval between executions allows less.
    ...bound('cadenceSeconds', -BigInt(before.cadenceSeconds), -BigInt(after.cadenceSeconds)),
    ...optionalBound('calls', before.calls, after.calls),
    ...bound('window.start', -before.window.start, -after.window.start),
    ...bound('window.end', before.window.end, after.window.end),
    ...settlement(before.settlement, after.settlement),
    ...vaultNav(before, after),
    ...coSigners(before, after),
    ...moods(before, after),
    ...totals(before, after),
    ...gas(before, after),
    ...sale(before, after),
  ]
  // A plan without any class allows nothing, whatever its numbers are.
  return after.classes.length === 0 ? changes.filter(({ direction }) => direction === 'narrower') : changes
}

/**
 * Whether the second plan allows nothing that the first does not.
 *
 * @example
 * isNarrowerOrEqual(signedPlan, planFromCalls(calls, options))
 */
export function isNarrowerOrEqual(before: PermissionPlan, after: PermissionPlan): boolean {
  return comparePlans(before, after).every(({ direction }) => direction === 'narrower')
}

function sets(
  field: string,
  before: readonly string[],
  after: readonly string[],
  order?: readonly string[],
): PlanChange[] {
  const [old, young] = [new Set(before), new Set(after)]
  const all = order ?? [...new Set([...before, ...after])].sort()
  return all.flatMap((name): PlanChange[] => {
    if (old.has(name) === young.has(name)) return []
    return old.has(name)
      ? [{ field: `${field} ${name}`, before: 'allowed', after: 'refused', direction: 'narrower' }]
      : [{ field: `${field} ${name}`, before: 'refused', after: 'allowed', direction: 'wider' }]
  })
}

function bound(field: string, before: bigint, after: bigint): PlanChange[] {
  if (before === after) return []
  const shown = (value: bigint) => String(value < 0n ? -value : value)
  return [
    { field, before: shown(before), after: shown(after), direction: after < before ? 'narrower' : 'wider' },
  ]
}

// Zero means no limit, which is the widest.
function optionalBound(field: string, before: number, after: number): PlanChange[] {
  if (before === after) return []
  const narrower = before === 0 || (after !== 0 && after < before)
  return [{ field, before: String(before), after: String(after), direction: narrower ? 'narrower' : 'wider' }]
}

function settlement(before: string | undefined, after: string | undefined): PlanChange[] {
  if (before === after) return []
  // Without one there is no unwinding in the late phases; a different one allows different swaps there.
  const direction = after === undefined ? 'narrower' : before === undefined ? 'wider' : 'other'
  return [{ field: 'settlement', before: before ?? 'none', after: after ?? 'none', direction }]
}

function vaultNav(before: PermissionPlan, after: PermissionPlan): PlanChange[] {
  const [old, young] = [before.sections.vaultNav, after.sections.vaultNav]
  if (!old && !young) return []
  // If nothing may leave, there is nothing to limit.
  if (!young && after.dayCents === 0n) return []
  if (!old || !young) {
    const direction = young ? 'narrower' : 'wider'
    return [
      { field: 'vaultNav', before: old ? 'bounded' : 'none', after: young ? 'bounded' : 'none', direction },
    ]
  }
  if (old.asset !== young.asset) {
    return [{ field: 'vaultNav.asset', before: old.asset, after: young.asset, direction: 'other' }]
  }
  return [
    ...bound('vaultNav.bps', BigInt(old.bps), BigInt(young.bps)),
    ...bound('vaultNav.capCents', old.capCents, young.capCents),
  ]
}

/** Another set of keys needs other signatures: neither contains the other. */
function coSigners(before: PermissionPlan, after: PermissionPlan): PlanChange[] {
  const [old, young] = [before.sections.coSigners, after.sections.coSigners]
  const words = (plan: typeof old) =>
    plan ? `${plan.threshold} of ${plan.members.map(lower).sort().join(', ')}` : 'none'
  const [was, is] = [words(old), words(young)]
  if (was === is) return []
  const keys = (plan: typeof old) => plan?.members.map(lower).sort().join() ?? ''
  const direction =
    !old || (young && keys(old) === keys(young) && young.threshold > old.threshold)
      ? 'narrower'
      : !young || keys(old) === keys(young)
        ? 'wider'
        : 'other'
  return [{ field: 'coSigners', before: was, after: is, direction }]
}

/** A class that no longer needs a mood is wider; so is a looser bound. */
function moods(oldPlan: PermissionPlan, newPlan: PermissionPlan): PlanChange[] {
  const [old, young] = [oldPlan.sections.mood, newPlan.sections.mood]
  const [before, after] = [old?.classes ?? [], young?.classes ?? []]
  // A class that only one of the two plans allows is a change of its own.
  const isInBoth = (name: ActionClass) => oldPlan.classes.includes(name) && newPlan.classes.includes(name)
  const freed = before.filter((name) => isInBoth(name) && !after.includes(name))
  const added = after.filter((name) => isInBoth(name) && !before.includes(name))
  const says = (name: string, isBound: boolean) => (isBound ? `${name} only in the signed mood` : 'any mood')
  return [
    ...freed.map(
      (name): PlanChange => ({
        field: `mood ${name}`,
        before: says(name, true),
        after: says(name, false),
        direction: 'wider',
      }),
    ),
    ...added.map(
      (name): PlanChange => ({
        field: `mood ${name}`,
        before: says(name, false),
        after: says(name, true),
        direction: 'narrower',
      }),
    ),
    ...(old && young
      ? [
          ...signed('mood.minPleasure', old.bounds.minPleasure, young.bounds.minPleasure, 'least'),
          ...signed('mood.maxArousal', old.bounds.maxArousal, young.bounds.maxArousal, 'most'),
          ...signed('mood.minDominance', old.bounds.minDominance, young.bounds.minDominance, 'least'),
        ]
      : []),
  ]
}

function signed(field: string, before: number, after: number, of: 'least' | 'most'): PlanChange[] {
  if (before === after) return []
  const isNarrower = of === 'most' ? after < before : after > before
  return [{ field, before: `${before}`, after: `${after}`, direction: isNarrower ? 'narrower' : 'wider' }]
}

function totals(before: PermissionPlan, after: PermissionPlan): PlanChange[] {
  const [old, young] = [before.sections.totals ?? [], after.sections.totals ?? []]
  const periods = [...new Set([...old, ...young].map(({ periodSeconds }) => periodSeconds))]
  return periods.flatMap((period) => {
    const [was, is] = [old, young].map((list) => list.find((one) => one.periodSeconds === period)?.cents)
    // If nothing may leave, there is nothing to limit.
    const isNeeded = was === undefined ? before.dayCents > 0n : is !== undefined || after.dayCents > 0n
    return isNeeded ? missingOrBound(`totals[${period}]`, was, is) : []
  })
}

/** Without a gas section, nothing can be drawn. */
function gas(before: PermissionPlan, after: PermissionPlan): PlanChange[] {
  const of = ({ sections }: PermissionPlan) => sections.gas?.microEtherPerDay ?? 0n
  return bound('gas.microEtherPerDay', of(before), of(after))
}

/** Without a royalty, no sale is granted. */
function sale(before: PermissionPlan, after: PermissionPlan): PlanChange[] {
  const [old, young] = [before.sections.sale, after.sections.sale]
  if (!old || !young || old.author === young.author)
    return old && young ? bound('sale.bps', -BigInt(old.bps), -BigInt(young.bps)) : []
  return [{ field: 'sale.author', before: old.author, after: young.author, direction: 'other' }]
}

/** Without a limit, anything may leave. */
function missingOrBound(field: string, before: bigint | undefined, after: bigint | undefined): PlanChange[] {
  if (before !== undefined && after !== undefined) return bound(field, before, after)
  if (before === after) return []
  return [
    {
      field,
      before: before === undefined ? 'none' : `${before}`,
      after: after === undefined ? 'none' : `${after}`,
      direction: after === undefined ? 'wider' : 'narrower',
    },
  ]
}

function lower(text: string): string {
  return text.toLowerCase()
}
