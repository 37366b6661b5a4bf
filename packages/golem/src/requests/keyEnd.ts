import { readDelegationTree } from '@bardo/chain'
import type { DeathTrigger, Delegation, RevocationCause } from '@bardo/core'
import { zeroHash } from 'viem'
import type { GolemParts } from '../permission/golemParts.ts'

/** The number of recent blocks to search for a revocation: about a day at two seconds per block. */
const recentBlocks = 50_000n

/** Whether the chain had ended the key's authority before the death began: it then ends nothing itself. */
export function isEndedByChain(trigger: DeathTrigger): boolean {
  switch (trigger) {
    case 'ownerRevocation':
    case 'naturalExpiry':
    case 'callLimitReached':
      return true
    case 'killSwitch':
    case 'policyViolation':
    case 'economicExhaustion':
    case 'heartbeatAnomaly':
      return false
  }
}

/**
 * Finds the transaction that disabled one of the links, and its time. If recent blocks do not have it, or the
 * node does not search them, the hash is zero and the time is `now`: a record must not keep a Golem from
 * dying. Undefined if every link is enabled.
 */
export async function findRevocation(
  { client, deployment }: Pick<GolemParts, 'client' | 'deployment'>,
  links: readonly Delegation[],
  now: bigint,
): Promise<RevocationCause | undefined> {
  const unknown = { kind: 'revoked', transaction: zeroHash, at: now } as const
  try {
    const block = await client.getBlockNumber({ cacheTime: 0 })
    const since = block > recentBlocks ? block - recentBlocks : 0n
    const { facts } = await readDelegationTree(client, deployment, links, since)
    const found = [...facts.disabled.values()]
    const first = found.find(({ transaction }) => transaction !== zeroHash)
    if (first) return { kind: 'revoked', ...first }
    return found.length > 0 ? unknown : undefined
  } catch {
    return unknown
  }
}
