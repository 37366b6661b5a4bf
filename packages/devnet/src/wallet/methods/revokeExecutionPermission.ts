import { DelegationManager } from '@metamask/delegation-abis'
import { encodeFunctionData } from 'viem'
import { z } from 'zod'
import { submitAndConfirm } from '../account/submitTransaction.ts'
import { ProviderRpcError, providerErrorCodes } from '../ProviderRpcError.ts'
import { parseParams } from '../parseParams.ts'
import { bytes } from '../rpcTypes.ts'
import type { WalletMethod } from '../walletContext.ts'
import { isRevoked } from './listExecutionPermissions.ts'

// MetaMask's type is the bare object; JSON-RPC clients put it into a list.
const params = z.preprocess(
  (given) => (Array.isArray(given) && given.length === 1 ? given[0] : given),
  z.object({ permissionContext: bytes }),
)

/**
 * `wallet_revokeExecutionPermission`: disables the delegation on chain, and resolves once that has happened.
 */
export const walletRevokeExecutionPermission: WalletMethod = async (wallet, given) => {
  const { permissionContext } = parseParams(params, given)
  const grant = wallet.grants.get(permissionContext)
  if (!grant) throw refused('This wallet has not granted this permission.')
  const { delegation } = grant
  const account = wallet.keyring.authorized(grant.response.from)
  if (await isRevoked(wallet, grant)) throw refused('This permission is already revoked.')

  await wallet.ask({ kind: 'revoke', from: account.address, context: permissionContext })
  const data = encodeFunctionData({
    abi: DelegationManager,
    functionName: 'disableDelegation',
    args: [delegation],
  })
  await submitAndConfirm(wallet, {
    network: await wallet.networks.home(),
    account,
    transaction: { to: wallet.environment.DelegationManager, data },
  })
  return {}
}

function refused(message: string) {
  return new ProviderRpcError(providerErrorCodes.invalidParams, message)
}
