import { numberToHex, TransactionReceiptNotFoundError } from 'viem'
import { getTransactionReceipt } from 'viem/actions'
import { z } from 'zod'
import { ProviderRpcError, providerErrorCodes } from '../ProviderRpcError.ts'
import { parseParams } from '../parseParams.ts'
import { bytes } from '../rpcTypes.ts'
import type { CallBundle, WalletContext, WalletMethod } from '../walletContext.ts'

const params = z.tuple([bytes])

const callsStatus = { pending: 100, confirmed: 200, reverted: 500 } as const

/** `wallet_getCallsStatus` (EIP-5792) */
export const walletGetCallsStatus: WalletMethod = async (wallet, given) => {
  const [id] = parseParams(params, given)
  const bundle = wallet.bundles.get(id)
  if (!bundle)
    throw new ProviderRpcError(providerErrorCodes.unknownBundleId, `No call bundle has the id ${id}.`)
  const base = { version: '2.0.0', id, chainId: numberToHex(bundle.chainId), atomic: true }
  const receipt = await findReceipt(wallet, bundle)
  if (!receipt) return { ...base, status: callsStatus.pending }
  const succeeded = receipt.status === 'success'
  return {
    ...base,
    status: succeeded ? callsStatus.confirmed : callsStatus.reverted,
    receipts: [
      {
        logs: receipt.logs.map(({ address, data, topics }) => ({ address, data, topics })),
        status: succeeded ? '0x1' : '0x0',
        blockHash: receipt.blockHash,
        blockNumber: numberToHex(receipt.blockNumber),
        gasUsed: numberToHex(receipt.gasUsed),
        transactionHash: receipt.transactionHash,
      },
    ],
  }
}

async function findReceipt({ networks }: WalletContext, { chainId, hash }: CallBundle) {
  const network = await networks.find(chainId)
  if (!network) return undefined
  try {
    return await getTransactionReceipt(network.client, { hash })
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return undefined
    throw error
  }
}
