import { canonicalFramework } from '@bardo/core'
import type { Address } from 'viem'
import { codesIn } from './chainDump.ts'
import type { SavedState } from './savedState.ts'
import { type World, worldContracts } from './world/worldDescription.ts'

/**
 * The contracts that this version of Bardo needs on a devnet and that this one lacks. Bardo's own are not
 * included: they are deployed when the devnet is opened.
 */
export function missingContracts({ world, dump }: SavedState): readonly string[] {
  const codes = codesIn(dump)
  const needed = [
    ...worldContracts,
    'SimpleFactory',
    ...Object.keys(canonicalFramework.implementations),
    ...Object.keys(canonicalFramework.caveatEnforcers),
  ]
  const addresses = addressesOf(world)
  return needed.filter((name) => !codes.has(addresses[name]?.toLowerCase() ?? ''))
}

function addressesOf({ addresses, framework }: World): Readonly<Record<string, Address>> {
  const { SimpleFactory, implementations, caveatEnforcers } = framework
  return { ...addresses, SimpleFactory, ...implementations, ...caveatEnforcers }
}
