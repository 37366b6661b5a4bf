import type { Address } from 'viem'
import { bardoCaveats } from './bardoCaveats.ts'
import { type BoundKind, type Registry, registryOf } from './boundKind.ts'

/** The registry of Bardo's own enforcers: takes a deployment's addresses, and leaves out what is no enforcer. */
export function bardoRegistry(addresses: Readonly<Record<string, Address>>): Registry {
  const entries: [Address, BoundKind<unknown>][] = []
  for (const [name, kind] of Object.entries<BoundKind<unknown>>(bardoCaveats)) {
    const address = addresses[`${name}Enforcer`]
    if (address) entries.push([address, kind])
  }
  return registryOf(entries)
}
