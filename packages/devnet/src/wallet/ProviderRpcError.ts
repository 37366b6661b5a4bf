/** Error codes of Ethereum providers: EIP-1193, EIP-1474, EIP-3326 and EIP-5792. */
export const providerErrorCodes = {
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  userRejected: 4001,
  unauthorized: 4100,
  unsupportedMethod: 4200,
  disconnected: 4900,
  unknownChain: 4902,
  unsupportedCapability: 5700,
  unsupportedChain: 5710,
  duplicateBundleId: 5720,
  unknownBundleId: 5730,
  upgradeRejected: 5750,
} as const

/**
 * The only error that a page gets from the owner's wallet: a numeric code, a message, and the node's own data
 * if there is any (a page needs it to decode a revert).
 *
 * @example
 * throw new ProviderRpcError(providerErrorCodes.userRejected, 'The owner rejected the request.')
 */
export class ProviderRpcError extends Error {
  override readonly name = 'ProviderRpcError'
  readonly code: number
  declare readonly data?: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    if (data !== undefined) this.data = data
  }
}
