import { cage, type Mandate } from '@bardo/core'
import type { Context } from './benchWorld.ts'
import { cageTermsOf } from './cageTerms.ts'
import { type EnforcerName, enforcerCaveats } from './enforcerCaveats.ts'
import { stockContexts } from './stockContexts.ts'
import { feedSeconds, type Work } from './work.ts'

/** The delegations that a policy needs for some work. */
export type Policy = (work: Work) => Context[]

/** In the order in which they are measured and printed. The first is what the others are compared with. */
export const policies: Readonly<Record<'none' | 'stock' | 'separate' | 'cage' | 'cage-feeds', Policy>> = {
  none: ({ calls }) => [{ caveats: [], calls }],
  stock: stockContexts,
  separate: (work) => together(work, separateEnforcers[work.scenario]),
  cage: (work) => caged(work, work.mandate),
  'cage-feeds': (work) => caged(work, withUsdcFeed(work)),
}

/** One enforcer of Bardo's on its own, with bounds of the same size. */
export const enforcerPolicies: Readonly<Record<EnforcerName | 'Cage', Policy>> = {
  GolemPhase: alone('GolemPhase'),
  MortalityTimeWindow: alone('MortalityTimeWindow'),
  DreamMode: alone('DreamMode'),
  VaultNAV: alone('VaultNAV'),
  ReplicantBudget: alone('ReplicantBudget'),
  MaxSlippage: alone('MaxSlippage'),
  DailySpendLimit: alone('DailySpendLimit'),
  EmotionalState: alone('EmotionalState'),
  KnowledgeRoyalty: alone('KnowledgeRoyalty'),
  PolicyCage: alone('PolicyCage'),
  Cadence: alone('Cadence'),
  Threshold: alone('Threshold'),
  Cage: policies.cage,
}

const onAnything = [
  'GolemPhase',
  'MortalityTimeWindow',
  'DreamMode',
  'EmotionalState',
  'DailySpendLimit',
  'Cadence',
] as const

/** What a Cage bounds, one by one. Where nothing is swapped, slippage bounds nothing and would only cost. */
const separateEnforcers: Record<Work['scenario'], readonly EnforcerName[]> = {
  transfer: onAnything,
  swap: [...onAnything, 'MaxSlippage'],
  deposit: onAnything,
}

function together(work: Work, names: readonly EnforcerName[]): Context[] {
  return [{ caveats: names.map((name) => enforcerCaveats[name](work)), calls: work.calls }]
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
