import type { Address } from 'viem'
import type { Registry, Row, Usage } from '../caveats/boundKind.ts'
import type { ChainState, Read } from '../caveats/caveatKind.ts'
import { BardoError } from '../errors/BardoError.ts'
import type { Caveat } from './delegation.ts'
import { heldReads } from './exposure/readRules.ts'
import type { DelegationNode, DelegationTree } from './tree.ts'

/** A decoded caveat of a known kind. */
export type ReadCaveat = {
  readonly caveat: Caveat
  readonly kind: NonNullable<ReturnType<Registry>>
  readonly terms: unknown
  readonly row: Row
}

/**
 * Decodes a delegation's caveats; unknown and malformed ones are undefined.
 *
 * @example
 * const [first] = readCaveats({ hash: hashDelegation(root), delegation: root }, registry, manager)
 * first?.kind.describe(first.terms, names)
 */
export function readCaveats(
  node: Pick<DelegationNode, 'hash' | 'delegation'>,
  registry: Registry,
  manager: Address,
): readonly (ReadCaveat | undefined)[] {
  const { hash, delegation } = node
  return delegation.caveats.map((caveat) => {
    const kind = registry(caveat.enforcer)
    if (!kind) return undefined
    const row = { manager, enforcer: caveat.enforcer, delegationHash: hash, delegator: delegation.delegator }
    try {
      return { caveat, kind, terms: kind.decode(caveat.terms), row }
    } catch (error) {
      if (error instanceof BardoError) return undefined
      throw error
    }
  })
}

/**
 * How much of a caveat is used; empty if it counts nothing or the chain was not read.
 *
 * @example
 * const [first] = readCaveats({ hash, delegation }, registry, manager)
 * const [used] = first ? usageOf(first, state) : []
 * used?.spent // 30_000_000n
 */
export function usageOf({ kind, terms, row }: ReadCaveat, state: ChainState): readonly Usage[] {
  return kind.usage?.(terms, row, state) ?? []
}

/**
 * The reads that show the spending in a tree, and the vault shares that its permissions can redeem.
 *
 * @example
 * const reads = treeReads(buildTree([root]), registry, manager)
 */
export function treeReads(tree: DelegationTree, registry: Registry, manager: Address): readonly Read[] {
  return [...tree.nodes.values()].flatMap((node) =>
    readCaveats(node, registry, manager).flatMap((read) =>
      read ? [...(read.kind.usageReads?.(read.terms, read.row) ?? []), ...heldReads(read)] : [],
    ),
  )
}
