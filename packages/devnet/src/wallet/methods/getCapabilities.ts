import { numberToHex } from 'viem'
import { z } from 'zod'
import { accountKind } from '../account/smartAccount.ts'
import { parseParams } from '../parseParams.ts'
import { address, chainId } from '../rpcTypes.ts'
import type { WalletMethod } from '../walletContext.ts'

const params = z.tuple([address.optional(), z.array(chainId).optional()])

/**
 * `wallet_getCapabilities` (EIP-5792): atomic batches, on the chain with the Delegation Framework. "ready"
 * means that the first batch upgrades the account. Another wallet's code on the account excludes both.
 */
export const walletGetCapabilities: WalletMethod = async ({ keyring, networks, environment }, given) => {
  const [owner, chains] = parseParams(params, given)
  const account = keyring.authorized(owner)
  const { client, chainId: home } = await networks.home()
  if (chains && chains.length > 0 && !chains.includes(home)) return {}
  const kind = await accountKind(client, environment, account.address)
  if (kind === 'foreign') return {}
  return { [numberToHex(home)]: { atomic: { status: kind === 'smart' ? 'supported' : 'ready' } } }
}
