import { DelegationManager } from '@metamask/delegation-abis'
import { getAddress, numberToHex } from 'viem'
import { readContract } from 'viem/actions'
import type { Grant } from '../grants/grant.ts'
import { supportedPermissions } from '../grants/supportedPermissions.ts'
import { ProviderRpcError, providerErrorCodes } from '../ProviderRpcError.ts'
import type { WalletContext, WalletMethod } from '../walletContext.ts'

/** `wallet_getSupportedExecutionPermissions` (ERC-7715) */
export const walletGetSupportedExecutionPermissions: WalletMethod = async (wallet) => {
  requireCurrentDialect(wallet, 'wallet_getSupportedExecutionPermissions')
  const { networks, environment } = wallet
  const chainIds = [numberToHex((await networks.home()).chainId)]
  const entries = [...supportedPermissions(environment)].map(([type, ruleTypes]) => [
    type,
    { chainIds, ruleTypes },
  ])
  return Object.fromEntries(entries)
}

/** `wallet_getGrantedExecutionPermissions` (ERC-7715): of the page's accounts, without revoked ones. */
export const walletGetGrantedExecutionPermissions: WalletMethod = async (wallet) => {
  requireCurrentDialect(wallet, 'wallet_getGrantedExecutionPermissions')
  const exposed = wallet.keyring.exposed()
  const own = [...wallet.grants.values()].filter(({ delegation }) =>
    exposed.includes(getAddress(delegation.delegator)),
  )
  const revoked = await Promise.all(own.map((grant) => isRevoked(wallet, grant)))
  return own.filter((_, index) => !revoked[index]).map(({ response }) => response)
}

/** MetaMask has these methods only in the versions with the current format. */
function requireCurrentDialect({ dialect }: WalletContext, method: string): void {
  if (dialect === 'current') return
  throw new ProviderRpcError(providerErrorCodes.methodNotFound, `Method ${method} not found.`)
}

/** Reads the chain, not the wallet's memory: the owner may have revoked it elsewhere. */
export async function isRevoked({ networks, environment }: WalletContext, { hash }: Grant): Promise<boolean> {
  const { client } = await networks.home()
  return readContract(client, {
    address: environment.DelegationManager,
    abi: DelegationManager,
    functionName: 'disabledDelegations',
    args: [hash],
  })
}
