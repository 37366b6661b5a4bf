import { BardoError } from '@bardo/core'
import { DELEGATOR_CONTRACTS } from '@metamask/delegation-deployments'
import { type Address, getAddress } from 'viem'

/** The addresses of MetaMask's Delegation Framework on a chain, in the format of its kit. */
export type Framework = {
  readonly DelegationManager: Address
  readonly EntryPoint: Address
  readonly SimpleFactory: Address
  readonly implementations: Readonly<Record<string, Address>>
  readonly caveatEnforcers: Readonly<Record<string, Address>>
}

/** The version that Bardo is built on and tested with. */
export const frameworkVersion = '1.3.0'

/** The framework's addresses on a chain, from MetaMask's own list; undefined if it is not listed. */
export function frameworkOn(chainId: number): Framework | undefined {
  const listed = Object.entries(DELEGATOR_CONTRACTS[frameworkVersion]?.[chainId] ?? {})
  // An address with a wrong checksum is an error in the list: it throws.
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

/**
 * The framework's addresses on Ethereum. All supported chains have the same ones, and so does a new devnet.
 */
export const canonicalFramework: Framework = onEthereum()

function onEthereum(): Framework {
  const framework = frameworkOn(1)
  if (framework) return framework
  throw new BardoError(`MetaMask's list has no framework ${frameworkVersion} on Ethereum.`, {
    code: 'INTERNAL',
  })
}
