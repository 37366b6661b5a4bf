import { BardoError, type Deployment } from '@bardo/core'
import { z } from 'zod'

/** A chain, by name or id. */
export const chainField = z
  .union([z.int().positive(), z.string().regex(/^[a-z0-9-]{1,32}$/i, 'must be a chain’s name or id')])
  .describe('The chain’s name or id. It must be the Golem’s own chain.')

/** Throws if the chain is not the Golem's own. */
export function requireChain({ chainId, chain }: Deployment, named: string | number): void {
  const isSame = String(named) === String(chainId) || String(named).toLowerCase() === chain.toLowerCase()
  if (isSame) return
  throw new BardoError('The Golem is on another chain.', {
    code: 'UNSUPPORTED_CHAIN',
    details: [`the Golem is on ${chain} (${chainId})`],
    remedy: `Use ${chain} or ${chainId}.`,
  })
}
