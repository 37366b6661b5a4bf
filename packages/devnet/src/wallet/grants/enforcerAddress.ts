import type { SmartAccountsEnvironment } from '@metamask/smart-accounts-kit'
import type { Address } from 'viem'
import { ProviderRpcError, providerErrorCodes } from '../ProviderRpcError.ts'

/** The address of an enforcer on the home chain. */
export function enforcerAddress({ caveatEnforcers }: SmartAccountsEnvironment, name: string): Address {
  const address = caveatEnforcers[name]
  if (address) return address
  throw new ProviderRpcError(providerErrorCodes.internal, `This chain has no ${name}.`)
}
