import type { WalletMethod } from '../walletContext.ts'

/**
 * The node's methods that a page can call through the wallet: reads, filters, and sending signed
 * transactions, as in MetaMask. All others are blocked, above all anvil's own methods, which would give a
 * page full control of the chain.
 */
export const nodeMethods = [
  'eth_blockNumber',
  'eth_call',
  'eth_createAccessList',
  'eth_estimateGas',
  'eth_feeHistory',
  'eth_gasPrice',
  'eth_getBalance',
  'eth_getBlockByHash',
  'eth_getBlockByNumber',
  'eth_getBlockReceipts',
  'eth_getBlockTransactionCountByHash',
  'eth_getBlockTransactionCountByNumber',
  'eth_getCode',
  'eth_getFilterChanges',
  'eth_getFilterLogs',
  'eth_getLogs',
  'eth_getProof',
  'eth_getStorageAt',
  'eth_getTransactionByBlockHashAndIndex',
  'eth_getTransactionByBlockNumberAndIndex',
  'eth_getTransactionByHash',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
  'eth_maxPriorityFeePerGas',
  'eth_newBlockFilter',
  'eth_newFilter',
  'eth_newPendingTransactionFilter',
  'eth_sendRawTransaction',
  'eth_syncing',
  'eth_uninstallFilter',
  'net_listening',
  'web3_clientVersion',
  'web3_sha3',
] as const

/** Forwards a request to the node of the active chain, unchanged. */
export function passToNode(method: (typeof nodeMethods)[number]): WalletMethod {
  return async ({ networks }, params) => {
    const { client } = await networks.active()
    return client.request<{ Parameters: unknown; ReturnType: unknown }>({ method, params })
  }
}
