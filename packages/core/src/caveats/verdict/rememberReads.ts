import type { Address } from 'viem'
import type { Read } from '../caveatKind.ts'

/** How many reads are cached before the cache is cleared. */
const most = 4_096

/** The reads that start with the same words, and the one that ends here. */
type Branch = { read?: Read; readonly next: Map<string, Branch> }

/**
 * Returns the same read object for the same contract and words, so that a later map lookup finds its string
 * already hashed. Words are looked up one by one: each is an existing string, while a joined key would be a
 * new one.
 */
export function rememberReads(
  ask: (to: Address, words: readonly string[]) => Read,
): (to: Address, words: readonly string[]) => Read {
  const cache = new Map<string, Branch>()
  let kept = 0
  return (to, words) => {
    let branch = branchOf(cache, to)
    for (const word of words) branch = branchOf(branch.next, word)
    if (branch.read) return branch.read
    if (kept >= most) {
      cache.clear()
      kept = 0
    }
    kept += 1
    branch.read = ask(to, words)
    return branch.read
  }
}

function branchOf(branches: Map<string, Branch>, name: string): Branch {
  const existing = branches.get(name)
  if (existing) return existing
  const branch: Branch = { next: new Map() }
  branches.set(name, branch)
  return branch
}
