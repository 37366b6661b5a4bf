import type { Deployment } from '@bardo/chain'
import { BardoError } from '@bardo/core'
import { z } from 'zod'

/** A chain by its name or its number. */
export const chainField = z
  .union([z.int().positive(), z.string().regex(/^[a-z0-9-]{1,32}$/i, 'give a chain’s name or its number')])
  .describe('The chain’s name or its number. It has to be the one that the Golem lives on.')

/** Refuses a chain that the Golem does not live on. */
export function requireChain({ chainId, chain }: Deployment, named: string | number): void {
  const isSame = String(named) === String(chainId) || String(named).toLowerCase() === chain.toLowerCase()
  if (isSame) return
  throw new BardoError('The Golem does not live on that chain.', {
    code: 'UNSUPPORTED_CHAIN',
    details: [`it lives on ${chain}, ${chainId}`],
    remedy: `Name ${chain} or ${chainId}.`,
  })
}
