import type { Address } from 'viem'
import { BardoError } from '../errors/BardoError.ts'
import { deploymentOn } from './deployment.ts'
import { protocols } from './protocols.ts'

/**
 * The address of USDC on a supported chain. The local devnet has its own, in its address book.
 *
 * @example
 * usdcOn(8453) // '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
 */
export function usdcOn(chainId: number): Address {
  const { chain } = deploymentOn(chainId)
  const usdc = protocols[chainId]?.find(({ type, name }) => type === 'token' && name === 'USDC')
  if (usdc) return usdc.address
  throw new BardoError(`No package lists USDC on ${chain}.`, {
    code: 'ADDRESS_UNKNOWN',
    details: [`chain ${chainId}`],
    remedy: 'Read it from the address book: book.assets.get("USDC").',
    docsPath: 'address-book.md',
  })
}
