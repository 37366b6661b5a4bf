import { cage, type Delegation, type Registry } from '@bardo/core'
import type { Deployment } from '../deployments/deployment.ts'

/** The last second in which a delegation can be used, by its own caveats; undefined where none of them ends. */
export function delegationEnd(
  { caveats }: Delegation,
  { registry, deployment }: { readonly registry: Registry; readonly deployment: Deployment },
): bigint | undefined {
  const cageEnforcer = deployment.contracts.cageEnforcer.toLowerCase()
  const ends = caveats.flatMap(({ enforcer, terms }) => {
    const kind = registry(enforcer)
    const last = kind?.window?.(kind.decode(terms))?.last
    if (last !== undefined) return [last]
    return enforcer.toLowerCase() === cageEnforcer ? [BigInt(cage.decode(terms).end)] : []
  })
  return ends.reduce<bigint | undefined>(
    (least, end) => (least === undefined || end < least ? end : least),
    undefined,
  )
}
