import { DELEGATOR_CONTRACTS } from '@metamask/delegation-deployments'
import { type Address, getAddress } from 'viem'

/** Where MetaMask's Delegation Framework stands on a chain, in the shape that its kit takes. */
export type Framework = {
  readonly DelegationManager: Address
  readonly EntryPoint: Address
  readonly SimpleFactory: Address
  readonly implementations: Readonly<Record<string, Address>>
  readonly caveatEnforcers: Readonly<Record<string, Address>>
}

/** The version that Bardo is built on and tested against. */
export const frameworkVersion = '1.3.0'

/** The framework's addresses on a chain, from MetaMask's own list; undefined where it has none. */
export function frameworkOn(chainId: number): Framework | undefined {
  const listed = Object.entries(DELEGATOR_CONTRACTS[frameworkVersion]?.[chainId] ?? {})
  // An address with a wrong checksum is a mistake in the list: it throws.
  const ending = (suffix: string) =>
    Object.fromEntries(
      listed.filter(([name]) => name.endsWith(suffix)).map(([name, address]) => [name, getAddress(address)]),
    )
  const { DelegationManager, EntryPoint, SimpleFactory } = Object.fromEntries(listed)
  if (!DelegationManager || !EntryPoint || !SimpleFactory) return undefined
  return {
    DelegationManager: getAddress(DelegationManager),
    EntryPoint: getAddress(EntryPoint),
    SimpleFactory: getAddress(SimpleFactory),
    implementations: ending('Impl'),
    caveatEnforcers: ending('Enforcer'),
  }
}
