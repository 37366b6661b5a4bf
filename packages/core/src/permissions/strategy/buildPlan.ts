import { type ActionClass, classNames } from '../../caveats/execution/actionClass.ts'
import { type Method, methodNames } from '../../caveats/execution/methods.ts'
import {
  type Evidence,
  type PermissionPlan,
  type PlanPair,
  type PlanSections,
  pairKey,
  type Reason,
  type TargetRole,
  targetKey,
} from '../permissionPlan.ts'
import {
  defaultSlippageBps,
  defaultSpreadBps,
  defaultVaultNavBps,
  mostEvidence,
  mostSlippageBps,
  stableSizeShare,
} from '../planLimits.ts'
import type { Ambiguity, Outcome } from './readSentence.ts'
import type { Grant, Settled } from './settleAsks.ts'
import { type Bounds, settleBounds } from './settleBounds.ts'
import { settleStated } from './settleStated.ts'

/** Combines the granted requests: the union of what they need, and no more. */
export function buildPlan(
  { grants, settlement }: Settled,
  bounds: Bounds,
  now: bigint,
  ambiguities: Ambiguity[],
): PermissionPlan {
  const { declared } = bounds
  const parts = collectParts(grants, settlement)
  const explain = (permission: string, because: readonly (Evidence | undefined)[]) =>
    parts.reasons.push({
      permission,
      because: because.filter((evidence) => evidence !== undefined).slice(0, mostEvidence),
    })
  const tell = (from: Evidence, question: string, outcome: Outcome) =>
    ambiguities.push({ ...from, question, outcome })

  const settled = settleBounds(grants, bounds, ambiguities)
  const { dayCents, sizeCents, cadenceSeconds, calls, spanSeconds, totals } = settled
  const size = sizeCents.value
  const slippage = declared.slippageBps
  if (slippage && slippage.value > mostSlippageBps)
    tell(
      slippage.from,
      `Slippage above ${mostSlippageBps} bps cannot be signed: ${mostSlippageBps} bps was used.`,
      'narrowed',
    )
  else if (slippage && slippage.value < defaultSlippageBps) {
    const question = `This slippage may be too tight: feed deviation, pool fee and price impact can reach ${defaultSlippageBps} bps. Swaps may be refused.`
    tell(slippage.from, question, 'check')
  }
  const nav = navOf(grants, bounds, size, tell)
  if (grants.length > 0) {
    explain('dayCents', dayCents.because)
    explain('sizeCents', sizeCents.because)
    explain('slippageBps', [slippage?.from])
    explain('window', spanSeconds.because)
    if (cadenceSeconds.value > 0) explain('cadenceSeconds', cadenceSeconds.because)
    if (calls.value > 0) explain('calls', calls.because)
    if (nav.section) explain('vaultNav', [nav.from])
  }
  const hasVault = parts.targets.some(({ role }) => role === 'vault')
  const stated = settleStated(bounds.stated, { classes: parts.classes, hasVault }, tell)
  const sections =
    grants.length === 0
      ? {}
      : {
          ...(nav.section && { vaultNav: nav.section }),
          ...(totals.value.length > 0 && { totals: totals.value }),
          ...stated.sections,
        }
  if (grants.length > 0) {
    for (const [at, { periodSeconds }] of totals.value.entries())
      explain(`totals[${periodSeconds}]`, [totals.because[at]])
    for (const { permission, from } of stated.because) explain(permission, from)
  }
  const closes = parts.classes.includes('unwind')
  return {
    ...parts,
    ...withSale(withPublishers(parts, stated.publishers, opens(grants)), sections, opens(grants)),
    dayCents: dayCents.value,
    sizeCents: [
      size,
      wholeDollars((size * stableSizeShare.numerator) / stableSizeShare.denominator),
      closes ? size : 0n,
      closes ? size : 0n,
      0n,
    ],
    slippageBps: Math.min(slippage?.value ?? defaultSlippageBps, mostSlippageBps),
    spreadBps: parts.classes.includes('addLiquidity') ? defaultSpreadBps : 0,
    cadenceSeconds: cadenceSeconds.value,
    calls: calls.value,
    window: { start: now, end: now + BigInt(spanSeconds.value) },
    settlement,
    sections,
  }
}

function opens(grants: readonly Grant[]): boolean {
  return grants.some(({ reach }) => reach === 'full')
}

/** What publishing needs: a method of each named contract. Nothing of value moves. */
function withPublishers(
  { classes, methods, targets }: Pick<PermissionPlan, 'classes' | 'methods' | 'targets'>,
  names: readonly string[],
  isOpening: boolean,
): Pick<PermissionPlan, 'classes' | 'methods' | 'targets'> {
  if (names.length === 0 || !isOpening) return { classes, methods, targets }
  return {
    classes: classNames.filter((name) => classes.includes(name) || name === 'publish'),
    methods: methodNames.filter((name) => methods.includes(name) || name === 'signed'),
    targets: [...targets, ...names.map((name) => ({ role: 'publish', name }) as const)],
  }
}

/** What a knowledge sale needs: its method, and the payment of the author in the same execution. */
function withSale(
  { classes, methods, targets }: Pick<PermissionPlan, 'classes' | 'methods' | 'targets'>,
  { sale }: PlanSections,
  isOpening: boolean,
): Pick<PermissionPlan, 'classes' | 'methods' | 'targets' | 'payees'> {
  if (!sale || !isOpening) return { classes, methods, targets, payees: [] }
  return {
    classes: classNames.filter((name) => classes.includes(name) || name === 'sale' || name === 'payment'),
    methods: methodNames.filter((name) => methods.includes(name) || name === 'signed' || name === 'transfer'),
    targets: [...targets, { role: 'sale' }],
    payees: [sale.author],
  }
}

/** As it is signed: a size is a whole number of dollars. */
function wholeDollars(cents: bigint): bigint {
  return (cents / 100n) * 100n
}

/**
 * The maximum share of a vault per action. It limits every action, so the default applies to vault strategies
 * only.
 */
function navOf(
  grants: readonly Grant[],
  { shares }: Bounds,
  capCents: bigint,
  tell: (from: Evidence, question: string, outcome: Outcome) => void,
): { readonly section?: PlanSections['vaultNav']; readonly from?: Evidence } {
  const vaults = [...new Set(grants.flatMap(({ vaults }) => vaults))]
  const [asset] = vaults
  const [first, ...others] = shares
  if (!first) {
    const deposits =
      grants.some(({ reach }) => reach === 'full') &&
      grants.every(({ capability }) => capability === 'VaultManagement')
    return deposits && vaults.length === 1 && asset !== undefined
      ? { section: { asset, bps: defaultVaultNavBps, capCents } }
      : {}
  }
  const least = others.reduce((a, b) => (b.bps < a.bps ? b : a), first)
  if (vaults.length !== 1 || asset === undefined) {
    tell(
      least.from,
      'A share of which vault? It is signed only if the strategy uses exactly one vault.',
      'notSigned',
    )
    return {}
  }
  if (grants.some(({ capability }) => capability !== 'VaultManagement'))
    tell(least.from, 'The share of the vault is signed for every action, not only for deposits.', 'narrowed')
  return { section: { asset, bps: Math.min(least.bps, 10_000), capCents }, from: least.from }
}

function collectParts(grants: readonly Grant[], settlement: string | undefined) {
  const because = new Map<string, Evidence[]>()
  const classes = new Set<ActionClass>()
  const methods = new Set<Method>()
  const assets = new Set<string>()
  const pairs = new Map<string, PlanPair>()
  const targets = new Map<string, TargetRole>()
  for (const { capability, reach, from, pairs: swaps, pools, vaults } of grants) {
    const explain = (permission: string) => {
      const list = because.get(permission)
      if (!list) because.set(permission, [from])
      else if (list.length < mostEvidence && !list.includes(from)) list.push(from)
    }
    const allow = (names: readonly ActionClass[], calls: readonly Method[], roles: readonly TargetRole[]) => {
      for (const name of names) {
        explain(`class ${name}`)
        classes.add(name)
      }
      for (const call of calls) {
        explain(`method ${call}`)
        methods.add(call)
      }
      for (const role of roles) {
        explain(`target ${targetKey(role)}`)
        targets.set(targetKey(role), role)
      }
    }
    const track = (symbol: string) => {
      explain(`asset ${symbol}`)
      assets.add(symbol)
    }
    for (const pair of swaps) {
      track(pair.from)
      track(pair.to)
      explain(`pair ${pairKey(pair)}`)
      pairs.set(pairKey(pair), pair)
      allow(
        [pair.to === settlement ? 'unwind' : 'swap', 'approve', 'disapprove'],
        ['approve', 'exactInputSingle'],
        [{ role: 'swapRouter02' }],
      )
    }
    for (const pool of pools) {
      for (const symbol of pool) track(symbol)
      allow(
        ['removeLiquidity'],
        // Never burn: anyone can add dust to a position, and then burning it reverts.
        ['decreaseLiquidity', 'collect'],
        [{ role: 'positionManager' }, { role: 'pool', assets: [pool[0], pool[1]] }],
      )
      if (reach === 'full') {
        const calls = ['approve', 'mintPosition', 'increaseLiquidity'] as const
        allow(['addLiquidity', 'approve', 'disapprove'], calls, [])
      }
    }
    for (const asset of vaults) {
      track(asset)
      allow(['withdraw'], ['withdraw', 'redeem'], [{ role: 'vault', asset }])
      if (reach === 'full') allow(['deposit', 'approve', 'disapprove'], ['approve', 'deposit'], [])
    }
    // A Replicant is a redelegation by the session key: the account calls nothing, so the class needs no contract.
    if (capability === 'SpawnReplicants') allow(['spawn'], [], [])
  }
  const reasons: Reason[] = [...because].map(([permission, because]) => ({ permission, because }))
  return {
    classes: classNames.filter((name) => classes.has(name)),
    methods: methodNames.filter((name) => methods.has(name)),
    assets: [...assets].sort(),
    pairs: [...pairs.values()].sort((a, b) => (pairKey(a) < pairKey(b) ? -1 : 1)),
    targets: [...targets].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, role]) => role),
    reasons,
  }
}
