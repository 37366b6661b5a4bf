import type { WalletMethod } from '../walletContext.ts'

/**
 * What a page may ask the node through the wallet: reads, filters, and sending what somebody else has signed, as in
 * MetaMask. Everything else stays inside; above all anvil's own methods, which would let a page play god.
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

/** Hands a request to the node of the active chain as it is. */
export function passToNode(method: (typeof nodeMethods)[number]): WalletMethod {
  return async ({ networks }, params) => {
    const { client } = await networks.active()
    return client.request<{ Parameters: unknown; ReturnType: unknown }>({ method, params })
  }
}
