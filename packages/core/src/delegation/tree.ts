import type { Address, Hex } from 'viem'
import { type Delegation, isRoot, mayFollow } from './delegation.ts'
import { hashDelegation, type Keccak } from './hashDelegation.ts'
import { malformed } from './malformed.ts'

/** A delegation with its position in the tree. */
export type DelegationNode = {
  readonly hash: Hex
  readonly delegation: Delegation
  /** The parent's hash; undefined directly below the owner. */
  readonly parent: Hex | undefined
  readonly depth: number
}

/** All delegations of one account, and their redelegations. */
export type DelegationTree = {
  /** The owner's account: the delegator of every root delegation. */
  readonly root: Address
  /** By hash, every parent before its children. */
  readonly nodes: ReadonlyMap<Hex, DelegationNode>
  /** From parent to child. */
  readonly edges: readonly (readonly [parent: Hex, child: Hex])[]
}

/**
 * Builds the tree of delegations in any order. Takes linear time.
 *
 * @example
 * const tree = buildTree([root, child])
 * tree.nodes.get(hashDelegation(child))?.depth // 1
 */
export function buildTree(delegations: readonly Delegation[], keccak?: Keccak): DelegationTree {
  const byHash = new Map<Hex, Delegation>()
  const children = new Map<Hex, Hex[]>()
  const tops: Hex[] = []
  let root: Address | undefined
  for (const delegation of delegations) {
    const hash = hashDelegation(delegation, keccak)
    if (byHash.has(hash)) throw malformed('A delegation is listed twice.', [hash])
    byHash.set(hash, delegation)
    if (!isRoot(delegation)) {
      const parent = delegation.authority.toLowerCase() as Hex
      const siblings = children.get(parent)
      if (siblings) siblings.push(hash)
      else children.set(parent, [hash])
      continue
    }
    tops.push(hash)
    root ??= delegation.delegator
    if (root.toLowerCase() !== delegation.delegator.toLowerCase()) {
      throw malformed('These delegations have two owners.', [root, delegation.delegator])
    }
  }
  if (!root) throw malformed('None of these delegations is a root.')
  const nodes = new Map<Hex, DelegationNode>()
  const edges: [Hex, Hex][] = []
  const queue: { hash: Hex; parent: Hex | undefined; depth: number }[] = tops.map((hash) => ({
    hash,
    parent: undefined,
    depth: 0,
  }))
  // The queue grows while it is processed: parents come before their children, without recursion.
  for (const { hash, parent, depth } of queue) {
    const delegation = byHash.get(hash)
    if (!delegation) continue
    const above = parent && byHash.get(parent)
    if (parent && above) {
      if (!mayFollow(above, delegation)) {
        throw malformed('The delegator of a delegation is not the delegate of its parent.', [
          `the delegator of ${hash} is ${delegation.delegator}`,
          `the delegate of ${parent} is ${above.delegate}`,
        ])
      }
      edges.push([parent, hash])
    }
    nodes.set(hash, { hash, delegation, parent, depth })
    for (const child of children.get(hash) ?? []) queue.push({ hash: child, parent: hash, depth: depth + 1 })
  }
  if (nodes.size !== byHash.size) {
    const [lost] = [...byHash.keys()].filter((hash) => !nodes.has(hash))
    throw malformed(
      'The parent of a delegation is missing.',
      [`${lost}`, `its authority is ${lost && byHash.get(lost)?.authority}`],
      'Add all parents of this delegation.',
    )
  }
  return { root, nodes, edges }
}

/**
 * The links from a node up to its root, leaf first, as in a permission context.
 *
 * @example
 * const links = chainOf(buildTree([root, child]), hashDelegation(child)).map(({ delegation }) => delegation)
 * const context = encodeContext(links)
 */
export function chainOf(tree: DelegationTree, leaf: Hex): readonly DelegationNode[] {
  const links: DelegationNode[] = []
  let node = tree.nodes.get(leaf.toLowerCase() as Hex)
  if (!node) throw malformed('The delegation is not in the tree.', [leaf])
  while (node) {
    links.push(node)
    node = node.parent && tree.nodes.get(node.parent)
  }
  return links
}
