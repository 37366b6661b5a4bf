import { type ActionClass, classNames } from '../../caveats/execution/actionClass.ts'
import { type Method, methodNames } from '../../caveats/execution/methods.ts'
import { bucketSeconds, buckets, maxBudgetCents } from '../../caveats/measure/rollingBudget.ts'
import { leastOf, mostOf } from '../leastOf.ts'
import {
  type Evidence,
  type PermissionPlan,
  type PlanPair,
  pairKey,
  type Reason,
  type TargetRole,
  targetKey,
} from '../permissionPlan.ts'
import {
  baseDayCents,
  daySeconds,
  defaultLifespanSeconds,
  defaultSlippageBps,
  defaultSpreadBps,
  defaultVaultNavBps,
  liquidityDayCents,
  longestLifespanSeconds,
  mostEvidence,
  mostSlippageBps,
  stableSizeShare,
  vaultDayCents,
} from '../planLimits.ts'
import { perDay } from './readAmounts.ts'
import type { Declarations } from './readDeclarations.ts'
import type { Limit } from './readLimits.ts'
import type { Ambiguity } from './readSentence.ts'
import type { Grant, Settled } from './settleAsks.ts'

/** Puts the granted asks together: the union of what they need, and no more. */
export function buildPlan(
  { grants, settlement }: Settled,
  declared: Declarations,
  limits: readonly Limit[],
  now: bigint,
  ambiguities: Ambiguity[],
): PermissionPlan {
  const parts = collectParts(grants, settlement, declared.assets)
  const reasons = parts.reasons
  const explain = (permission: string, because: readonly (Evidence | undefined)[]) =>
    reasons.push({
      permission,
      because: because.filter((evidence) => evidence !== undefined).slice(0, mostEvidence),
    })

  const cadence = cadenceOf(grants, declared)
  const nothing = grants.length === 0
  const lifespan = declared.lifespan
  const span = Math.min(lifespan?.value ?? defaultLifespanSeconds, longestLifespanSeconds)
  const dayCents = nothing ? 0n : dayCentsOf(grants, declared, limits, cadence, span, ambiguities)
  const size = nothing ? 0n : sizeOf(grants, limits, dayCents)
  const slippage = declared.slippageBps
  if (slippage && slippage.value > mostSlippageBps) {
    ambiguities.push({
      ...slippage.from,
      question: `More than ${mostSlippageBps} bps of slippage? ${mostSlippageBps} were taken.`,
    })
  } else if (slippage && slippage.value < defaultSlippageBps) {
    const question = `Feed, fee and impact can come to ${defaultSlippageBps} bps by themselves: swaps may be refused. Is that meant?`
    ambiguities.push({ ...slippage.from, question })
  }
  if (lifespan && lifespan.value > longestLifespanSeconds) {
    ambiguities.push({ ...lifespan.from, question: 'Longer than a year? A year was taken.' })
  }
  if (!nothing) {
    explain('dayCents', declared.dayCents ? [declared.dayCents.from] : grants.map(({ from }) => from))
    explain('slippageBps', [slippage?.from])
    explain('window', [lifespan?.from])
    if (cadence > 0) explain('cadenceSeconds', [declared.cadence?.from ?? grants[0]?.from])
  }
  const closes = parts.classes.includes('unwind')
  const vaults = [...new Set(grants.flatMap(({ vaults }) => vaults))]
  // The section bounds every execution by the vault's size, so it suits a Golem that does nothing but look after it.
  const deposits =
    parts.classes.includes('deposit') && grants.every(({ capability }) => capability === 'VaultManagement')
  const [vault] = vaults
  return {
    ...parts,
    payees: [],
    dayCents,
    sizeCents: [
      size,
      (size * stableSizeShare.numerator) / stableSizeShare.denominator,
      closes ? size : 0n,
      closes ? size : 0n,
      0n,
    ],
    slippageBps: Math.min(slippage?.value ?? defaultSlippageBps, mostSlippageBps),
    spreadBps: parts.classes.includes('addLiquidity') ? defaultSpreadBps : 0,
    cadenceSeconds: cadence,
    calls: 0,
    window: { start: now, end: now + BigInt(span) },
    settlement,
    sections:
      deposits && vaults.length === 1 && vault !== undefined
        ? { vaultNav: { asset: vault, bps: defaultVaultNavBps, capCents: dayCents } }
        : {},
  }
}

function collectParts(grants: readonly Grant[], settlement: string | undefined, declared: readonly string[]) {
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
        ['decreaseLiquidity', 'collect', 'burnPosition'],
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
    if (capability === 'SpawnReplicants') {
      allow(['spawn'], ['signed'], [{ role: 'spawn' }])
      // What a signed method does is not read, so that everything declared is measured around it.
      for (const symbol of declared) track(symbol)
    }
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

/** The Cage's cadence is one for all executions: it fits where there is one thing to do, or where the text states it. */
function cadenceOf(grants: readonly Grant[], declared: Declarations): number {
  if (grants.length === 0) return 0
  if (declared.cadence) return declared.cadence.value
  return grants.length === 1 ? (grants[0]?.cadence ?? 0) : 0
}

function dayCentsOf(
  grants: readonly Grant[],
  declared: Declarations,
  limits: readonly Limit[],
  cadence: number,
  span: number,
  ambiguities: Ambiguity[],
): bigint {
  const cap = grants.reduce((most, grant) => mostOf(most, capOf(grant)), 0n)
  const needs = grants.reduce((sum, grant) => sum + needOf(grant), 0n)
  let cents = leastOf(cap, needs)
  const { dayCents, longBudget, dayLimit } = declared
  if (dayCents) {
    // A week's budget may go at once only if a week passes before the next time.
    cents = longBudget && cadence >= longBudget.value.seconds ? longBudget.value.cents : dayCents.value
  } else if (needs > cap) {
    const large = grants.find(({ cents }) => cents !== undefined && cents > cap)
    if (large) {
      const question = `This needs more than the $${cap / 100n} a day that a strategy gets without a budget. Add "budget: $…/day"?`
      ambiguities.push({ ...large.from, question })
    }
  }
  if (dayLimit) cents = leastOf(cents, dayLimit.value)
  for (const limit of limits) {
    if (limit.of === 'day') cents = leastOf(cents, limitPerDay(limit, cadence))
    // Without a budget nobody can tell whether it is for one time or for all.
    if (limit.of === 'unsaid' && !dayCents) cents = leastOf(cents, limit.cents)
    if (limit.of !== 'total') continue
    const question = 'A total is not bounded by itself. It was spread over the days. Is that meant?'
    ambiguities.push({ ...limit.from, question })
    // So many windows of 24 hours can touch the span.
    cents = leastOf(cents, limit.cents / BigInt(Math.ceil(span / daySeconds) + 1))
  }
  if (cents > maxBudgetCents && dayCents) {
    ambiguities.push({
      ...dayCents.from,
      question: `The most that can be bounded is ${maxBudgetCents} cents a day. That was taken.`,
    })
  }
  return leastOf(cents, maxBudgetCents)
}

/** A week's limit may be used up at once only if a week passes before the next time. */
function limitPerDay({ cents, seconds = daySeconds }: Limit, cadence: number): bigint {
  return cadence >= seconds ? cents : perDay(cents, seconds)
}

function sizeOf(grants: readonly Grant[], limits: readonly Limit[], dayCents: bigint): bigint {
  let size = grants.reduce(
    (most, { cents, reach }) => mostOf(most, reach === 'close' ? 0n : (cents ?? dayCents)),
    0n,
  )
  for (const limit of limits) if (limit.of !== 'day') size = leastOf(size, limit.cents)
  return leastOf(size, dayCents)
}

function capOf({ capability, reach }: Grant): bigint {
  // The way out takes nothing from the account.
  if (reach === 'close') return 0n
  if (capability === 'VaultManagement') return vaultDayCents
  return capability === 'ProvideLiquidity' ? liquidityDayCents : baseDayCents
}

/** What one ask takes out of the budget while the budget remembers it. */
function needOf(grant: Grant): bigint {
  if (grant.reach === 'close' || grant.cents === undefined || grant.cadence === undefined) return capOf(grant)
  return grant.cents * BigInt(Math.floor(Number(buckets * bucketSeconds) / grant.cadence) + 1)
}
