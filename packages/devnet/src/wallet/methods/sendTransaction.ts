import { z } from 'zod'
import { submitTransaction } from '../account/submitTransaction.ts'
import type { RequestedCall } from '../decision.ts'
import type { Keyring } from '../keyring.ts'
import { ProviderRpcError, providerErrorCodes } from '../ProviderRpcError.ts'
import { parseParams } from '../parseParams.ts'
import { address, bytes, chainId, quantity } from '../rpcTypes.ts'
import type { WalletMethod } from '../walletContext.ts'

const params = z.tuple([
  z.looseObject({
    from: address,
    to: address.nullish().transform((to) => to ?? undefined),
    data: bytes.optional(),
    input: bytes.optional(),
    value: quantity.optional(),
    gas: quantity.optional(),
    maxFeePerGas: quantity.optional(),
    maxPriorityFeePerGas: quantity.optional(),
    chainId: chainId.optional(),
    type: z.string().optional(),
    authorizationList: z.unknown().optional(),
  }),
])

/** `eth_sendTransaction`: resolves with the hash as soon as the node has the transaction. */
export const ethSendTransaction: WalletMethod = async (wallet, given) => {
  const [request] = parseParams(params, given)
  const { to, value, gas, maxFeePerGas, maxPriorityFeePerGas } = request
  const data = request.data ?? request.input
  if (request.input && request.input !== data) throw refused('"data" and "input" have different values.')
  const account = wallet.keyring.authorized(request.from)
  if (request.authorizationList !== undefined || request.type === '0x4') {
    throw refused(
      'A page cannot send EIP-7702 transactions. Use wallet_sendCalls, which upgrades the account.',
    )
  }
  if (!to && !data) throw refused('A transaction needs a recipient or the code of a contract to create.')
  refuseCommandToOwnAccount({ to, data }, wallet.keyring)
  const network = await wallet.networks.active()
  if (request.chainId !== undefined && request.chainId !== network.chainId) {
    throw refused(
      `The transaction is for chain ${request.chainId}, but the active chain is ${network.chainId}.`,
    )
  }

  await wallet.ask({ kind: 'sendTransaction', from: account.address, call: { to, data, value } })
  const transaction = { to, data, value, gas, maxFeePerGas, maxPriorityFeePerGas }
  return submitTransaction(wallet, { network, account, transaction })
}

/**
 * MetaMask does not have `wallet_sendTransaction`, so the answer is MetaMask's: viem tries it after every
 * refusal of `eth_sendTransaction`, and shows the page the original refusal only after -32601.
 */
export const walletSendTransaction: WalletMethod = async () => {
  throw new ProviderRpcError(
    providerErrorCodes.methodNotFound,
    'The method "wallet_sendTransaction" does not exist.',
  )
}

/**
 * Calldata to an account of the wallet is a command to its EIP-7702 code, which obeys its own key: one such
 * transaction could do anything in the account's name.
 */
export function refuseCommandToOwnAccount({ to, data }: RequestedCall, keyring: Keyring) {
  if (!to || !data || data === '0x' || !keyring.isOwn(to)) return
  throw refused('A page cannot send data to an account of the wallet.')
}

function refused(message: string) {
  return new ProviderRpcError(providerErrorCodes.invalidParams, message)
}
