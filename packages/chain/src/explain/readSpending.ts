import {
  caveatRegistry,
  type Delegation,
  type Deployment,
  hashDelegation,
  readCaveats,
  type Usage,
  usageOf,
} from '@bardo/core'
import type { PublicClient } from 'viem'
import { readState } from '../reads/readState.ts'

/** How much of a limit a transaction used. */
export type Spending = {
  readonly link: number
  readonly caveat: number
  readonly name: string
  readonly before: Usage
  readonly after: Usage
}

/** What a block changed in the limits that count something, leaf first. */
export async function readSpending(
  client: PublicClient,
  deployment: Deployment,
  links: readonly Delegation[],
  block: bigint,
): Promise<readonly Spending[]> {
  const registry = caveatRegistry(deployment)
  const manager = deployment.framework.DelegationManager
  const caveats = links.flatMap((delegation, link) =>
    readCaveats({ hash: hashDelegation(delegation), delegation }, registry, manager).map((read, caveat) => ({
      link,
      caveat,
      read,
    })),
  )
  const reads = caveats.flatMap(({ read }) => read?.kind.usageReads?.(read.terms, read.row) ?? [])
  if (reads.length === 0) return []
  const [then, now] = await Promise.all([
    readState(client, deployment, reads, block - 1n),
    readState(client, deployment, reads, block),
  ])
  return caveats.flatMap(({ link, caveat, read }) => {
    if (!read) return []
    const later = usageOf(read, now)
    return usageOf(read, then).flatMap((before, place) => {
      const after = later[place]
      return after ? [{ link, caveat, name: read.kind.name, before, after }] : []
    })
  })
}
