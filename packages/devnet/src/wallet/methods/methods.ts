import type { WalletMethod } from '../walletContext.ts'
import {
  ethAccounts,
  ethRequestAccounts,
  walletGetPermissions,
  walletRequestPermissions,
  walletRevokePermissions,
} from './connectAccounts.ts'
import { walletGetCallsStatus } from './getCallsStatus.ts'
import { walletGetCapabilities } from './getCapabilities.ts'
import {
  walletGetGrantedExecutionPermissions,
  walletGetSupportedExecutionPermissions,
} from './listExecutionPermissions.ts'
import { nodeMethods, passToNode } from './nodeMethods.ts'
import { personalSign } from './personalSign.ts'
import { walletGrantPermissions, walletRequestExecutionPermissions } from './requestExecutionPermissions.ts'
import { walletRevokeExecutionPermission } from './revokeExecutionPermission.ts'
import { walletSendCalls } from './sendCalls.ts'
import { ethSendTransaction, walletSendTransaction } from './sendTransaction.ts'
import { ethSignTypedDataV4 } from './signTypedData.ts'
import { ethChainId, netVersion, walletAddEthereumChain, walletSwitchEthereumChain } from './switchChain.ts'

/** All methods that a page can call. Any other method is answered with 4200. */
export const methods: ReadonlyMap<string, WalletMethod> = new Map([
  ...nodeMethods.map((method): [string, WalletMethod] => [method, passToNode(method)]),
  ['eth_accounts', ethAccounts],
  ['eth_requestAccounts', ethRequestAccounts],
  ['wallet_requestPermissions', walletRequestPermissions],
  ['wallet_getPermissions', walletGetPermissions],
  ['wallet_revokePermissions', walletRevokePermissions],
  ['eth_chainId', ethChainId],
  ['net_version', netVersion],
  ['wallet_switchEthereumChain', walletSwitchEthereumChain],
  ['wallet_addEthereumChain', walletAddEthereumChain],
  ['personal_sign', personalSign],
  ['eth_signTypedData_v4', ethSignTypedDataV4],
  ['eth_sendTransaction', ethSendTransaction],
  ['wallet_sendTransaction', walletSendTransaction],
  ['wallet_sendCalls', walletSendCalls],
  ['wallet_getCallsStatus', walletGetCallsStatus],
  ['wallet_getCapabilities', walletGetCapabilities],
  ['wallet_requestExecutionPermissions', walletRequestExecutionPermissions],
  ['wallet_grantPermissions', walletGrantPermissions],
  ['wallet_getSupportedExecutionPermissions', walletGetSupportedExecutionPermissions],
  ['wallet_getGrantedExecutionPermissions', walletGetGrantedExecutionPermissions],
  ['wallet_revokeExecutionPermission', walletRevokeExecutionPermission],
])
