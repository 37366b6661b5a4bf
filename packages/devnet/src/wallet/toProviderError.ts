import { BaseError, HttpRequestError, RpcRequestError, TimeoutError } from 'viem'
import { ProviderRpcError, providerErrorCodes } from './ProviderRpcError.ts'

/** An internal error in the form that a page may see: without stack, node URL or cause. */
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
    return new ProviderRpcError(providerErrorCodes.disconnected, 'The RPC node does not answer.')
  }
  return new ProviderRpcError(providerErrorCodes.internal, error.shortMessage)
}
