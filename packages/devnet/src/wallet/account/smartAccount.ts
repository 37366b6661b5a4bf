import type { SmartAccountsEnvironment } from '@metamask/smart-accounts-kit'
import { type Address, type Client, isAddressEqual } from 'viem'
import { getCode } from 'viem/actions'
import { ProviderRpcError, providerErrorCodes } from '../ProviderRpcError.ts'

/** The kind of an account: a plain key, MetaMask's smart account (EIP-7702), or delegated to other code. */
type AccountKind = 'plain' | 'smart' | 'foreign'

/** Reads the kind of an account. */
export async function accountKind(
  client: Client,
  environment: SmartAccountsEnvironment,
  account: Address,
): Promise<AccountKind> {
  const code = await getCode(client, { address: account })
  if (code === undefined) return 'plain'
  const target = code.match(/^0xef0100([0-9a-f]{40})$/i)?.[1]
  return target && isAddressEqual(`0x${target}`, smartAccountCode(environment)) ? 'smart' : 'foreign'
}

/** The code that an upgraded account runs. */
export function smartAccountCode(environment: SmartAccountsEnvironment): Address {
  const code = environment.implementations['EIP7702StatelessDeleGatorImpl']
  if (code) return code
  throw new ProviderRpcError(providerErrorCodes.internal, 'This chain has no code for smart accounts.')
}
