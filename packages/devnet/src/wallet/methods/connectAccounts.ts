import { z } from 'zod'
import { ProviderRpcError, providerErrorCodes } from '../ProviderRpcError.ts'
import { parseParams } from '../parseParams.ts'
import type { WalletContext, WalletMethod } from '../walletContext.ts'

const permissionNames = z.tuple([z.record(z.string(), z.looseObject({}))])

/** `eth_accounts` */
export const ethAccounts: WalletMethod = async ({ keyring }) => keyring.exposed()

/** `eth_requestAccounts`: asks the owner once. A connected page gets its accounts without a prompt. */
export const ethRequestAccounts: WalletMethod = async (wallet) => {
  await unlock(wallet)
  if (wallet.keyring.exposed().length === 0) await connect(wallet)
  return wallet.keyring.exposed()
}

/**
 * `wallet_requestPermissions` (EIP-2255): asks the owner every time, so that they can choose other accounts.
 */
export const walletRequestPermissions: WalletMethod = async (wallet, params) => {
  requireAccountsOnly(params)
  await unlock(wallet)
  await connect(wallet)
  return permissions(wallet)
}

/** `wallet_getPermissions` (EIP-2255) */
export const walletGetPermissions: WalletMethod = async (wallet) => permissions(wallet)

/** `wallet_revokePermissions`: a page can always give up its permissions. */
export const walletRevokePermissions: WalletMethod = async ({ keyring }, params) => {
  requireAccountsOnly(params)
  keyring.disconnect()
  return null
}

async function unlock({ keyring, ask }: WalletContext) {
  if (!keyring.isLocked()) return
  await ask({ kind: 'unlock' })
  keyring.setLocked(false)
}

async function connect({ keyring, ask }: WalletContext) {
  const accounts = keyring.all()
  const decision = await ask({ kind: 'connect', accounts })
  keyring.connect(decision !== 'approve' && 'accounts' in decision ? decision.accounts : accounts)
}

function permissions({ keyring }: WalletContext) {
  const accounts = keyring.exposed()
  if (accounts.length === 0) return []
  const caveats = [{ type: 'restrictReturnedAccounts', value: accounts }]
  return [{ parentCapability: 'eth_accounts', caveats }]
}

function requireAccountsOnly(params: unknown) {
  const [requested] = parseParams(permissionNames, params)
  const names = Object.keys(requested)
  if (names.length === 1 && names[0] === 'eth_accounts') return
  throw new ProviderRpcError(
    providerErrorCodes.invalidParams,
    `The only permission is "eth_accounts"; requested: ${names.join(', ') || 'none'}.`,
  )
}
