import { bardoCaveats, cage, type Mandate } from '@bardo/core'
import type { Context } from './benchWorld.ts'
import { cageTermsOf } from './cageTerms.ts'
import { type EnforcerName, enforcerCaveats } from './enforcerCaveats.ts'
import { metamaskContexts } from './metamaskContexts.ts'
import { feedSeconds, type Work } from './work.ts'

/** The delegations that a policy needs for a piece of work. */
export type Policy = (work: Work) => Context[]

/** In the order in which they are measured and printed. The first is the baseline of the others. */
export const policies: Readonly<Record<'none' | 'stock' | 'separate' | 'cage' | 'cage-feeds', Policy>> = {
  none: ({ calls }) => [{ caveats: [], calls }],
  stock: metamaskContexts,
  separate: (work) => together(work, separateEnforcers[work.scenario]),
  cage: (work) => caged(work, work.mandate),
  'cage-feeds': (work) => caged(work, withUsdcFeed(work)),
}

/** One of Bardo's enforcers alone, with limits of the same size, in the order of core's list. */
export const enforcerPolicies: Readonly<Record<string, Policy>> = Object.fromEntries(
  (Object.keys(bardoCaveats) as (keyof typeof bardoCaveats)[]).map((kind) =>
    kind === 'cage' ? ['Cage', policies.cage] : [enforcerName(kind), alone(enforcerName(kind))],
  ),
)

const onAnything = [
  'GolemPhase',
  'MortalityTimeWindow',
  'DreamMode',
  'EmotionalState',
  'DailySpendLimit',
  'Cadence',
] as const

/**
 * The limits of a Cage, as separate enforcers. Without a swap, slippage limits nothing and would only add
 * cost.
 */
const separateEnforcers: Record<Work['scenario'], readonly EnforcerName[]> = {
  transfer: onAnything,
  swap: [...onAnything, 'MaxSlippage'],
  deposit: onAnything,
}

function together(work: Work, names: readonly EnforcerName[]): Context[] {
  return [{ caveats: names.map((name) => enforcerCaveats[name](work)), calls: work.calls }]
}

function enforcerName(kind: Uncapitalize<EnforcerName>): EnforcerName {
  return `${kind.charAt(0).toUpperCase()}${kind.slice(1)}` as EnforcerName
}

function alone(name: EnforcerName): Policy {
  return (work) => together(work, [name])
}

function caged({ addresses, bounds, calls }: Work, mandate: Mandate): Context[] {
  const terms = cage.encode(cageTermsOf(bounds, mandate))
  return [{ caveats: [{ enforcer: addresses.cageEnforcer, terms }], calls }]
}

function withUsdcFeed({ addresses, mandate }: Work): Mandate {
  const byFeed = (asset: Mandate['assets'][number]) =>
    asset.token === addresses.usdc
      ? { ...asset, feed: addresses.usdcFeed, maxAgeSeconds: feedSeconds }
      : asset
  return { ...mandate, assets: mandate.assets.map(byFeed) }
}
