import type { Hash, LocalAccount } from 'viem'
import type { WalletContext } from '../walletContext.ts'
import { accountKind, smartAccountCode } from './smartAccount.ts'
import { submitAndConfirm } from './submitTransaction.ts'

/** Upgrades an account to MetaMask's smart account (EIP-7702) on the home chain, if it is not one. */
export async function upgradeAccount(
  wallet: WalletContext,
  account: LocalAccount,
): Promise<Hash | undefined> {
  const { environment, networks } = wallet
  const network = await networks.home()
  if ((await accountKind(network.client, environment, account.address)) === 'smart') return undefined
  return submitAndConfirm(wallet, {
    network,
    account,
    transaction: { to: account.address },
    upgradeTo: smartAccountCode(environment),
  })
}
