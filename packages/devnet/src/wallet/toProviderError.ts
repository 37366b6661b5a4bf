import { BaseError, HttpRequestError, RpcRequestError, TimeoutError } from 'viem'
import { ProviderRpcError, providerErrorCodes } from './ProviderRpcError.ts'

/** Whatever went wrong inside the wallet, as a page may see it: never a stack, an address of a node, or a cause. */
export function toProviderError(error: unknown): ProviderRpcError {
  if (error instanceof ProviderRpcError) return error
  if (!(error instanceof BaseError)) {
    return new ProviderRpcError(providerErrorCodes.internal, 'The wallet failed to handle the request.')
  }
  const answered = error.walk((cause) => cause instanceof RpcRequestError)
  if (answered instanceof RpcRequestError) {
    return new ProviderRpcError(answered.code, answered.details, answered.data)
  }
  if (error.walk((cause) => cause instanceof HttpRequestError || cause instanceof TimeoutError)) {
    return new ProviderRpcError(providerErrorCodes.disconnected, 'The chain does not answer.')
  }
  return new ProviderRpcError(providerErrorCodes.internal, error.shortMessage)
}
