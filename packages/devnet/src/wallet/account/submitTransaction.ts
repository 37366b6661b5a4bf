import type { Address, Hash, Hex, LocalAccount } from 'viem'
import { sendTransaction, signAuthorization, waitForTransactionReceipt } from 'viem/actions'
import type { Network } from '../network.ts'
import { ProviderRpcError, providerErrorCodes } from '../ProviderRpcError.ts'
import type { WalletContext } from '../walletContext.ts'

/** A transaction with the fields that the page chose; the wallet fills in nonce, fees and gas. */
type Transaction = {
  readonly to?: Address | undefined
  readonly data?: Hex | undefined
  readonly value?: bigint | undefined
  readonly gas?: bigint | undefined
  readonly maxFeePerGas?: bigint | undefined
  readonly maxPriorityFeePerGas?: bigint | undefined
}

export type Submission = {
  readonly network: Network
  readonly account: LocalAccount
  readonly transaction: Transaction
  /** The code to which the same transaction upgrades the account (EIP-7702). */
  readonly upgradeTo?: Address | undefined
}

/** Signs and sends a transaction. */
export function submitTransaction(wallet: WalletContext, submission: Submission): Promise<Hash> {
  const { network, account, transaction, upgradeTo } = submission
  return wallet.inTurn(async () => {
    const { client } = network
    if (!upgradeTo) return sendTransaction(client, { account, ...definedOf(transaction) })
    const authorization = await signAuthorization(client, {
      account,
      contractAddress: upgradeTo,
      executor: 'self',
    })
    return sendTransaction(client, { account, ...definedOf(transaction), authorizationList: [authorization] })
  })
}

/** Signs and sends a transaction, and resolves once it has succeeded. */
export async function submitAndConfirm(wallet: WalletContext, submission: Submission): Promise<Hash> {
  const hash = await submitTransaction(wallet, submission)
  const receipt = await waitForTransactionReceipt(submission.network.client, { hash })
  if (receipt.status === 'success') return hash
  throw new ProviderRpcError(providerErrorCodes.internal, `The transaction ${hash} reverted.`)
}

/** viem distinguishes "omitted" from "undefined" for some fields; a page's JSON cannot. */
function definedOf(transaction: Transaction) {
  const { to, data, value, gas, maxFeePerGas, maxPriorityFeePerGas } = transaction
  return {
    ...(to && { to }),
    ...(data && { data }),
    ...(value !== undefined && { value }),
    ...(gas !== undefined && { gas }),
    ...(maxFeePerGas !== undefined && { maxFeePerGas }),
    ...(maxPriorityFeePerGas !== undefined && { maxPriorityFeePerGas }),
  }
}
