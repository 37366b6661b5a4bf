import { bardoCaveats } from '../caveats/bardoCaveats.ts'

/** One enforcer for each of Bardo's caveats. */
const enforcers = (Object.keys(bardoCaveats) as (keyof typeof bardoCaveats)[]).map(
  (caveat) => `${caveat}Enforcer` as const,
)

/** Every contract of Bardo that a chain has once. */
export const contractNames = [
  'golemVitals',
  'policyCage',
  'identityRegistry',
  'identityGuardian',
  ...enforcers,
] as const

export type EnforcerName = (typeof enforcers)[number]
export type ContractName = (typeof contractNames)[number]
