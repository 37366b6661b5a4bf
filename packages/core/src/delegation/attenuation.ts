import type { Address, Hex } from 'viem'
import type { BoundKind, Registry } from '../caveats/boundKind.ts'
import type { Coverage, Names } from '../caveats/caveatKind.ts'
import { BardoError } from '../errors/BardoError.ts'
import type { Caveat } from './delegation.ts'
import type { DelegationTree } from './tree.ts'

/** A caveat that allows more than one above it, or that cannot be compared with it. */
export type Widening = {
  readonly node: Hex
  /** The delegation whose caveat it exceeds; the node itself if its own terms are invalid. */
  readonly above: Hex
  /** The index in the node's list of caveats. */
  readonly caveat: number
  readonly enforcer: Address
  /** The kind's name; undefined for an unknown enforcer. */
  readonly name: string | undefined
  readonly because: string
}

/** Caveats of one enforcer, and the delegation that carries them. */
type Holder = { readonly hash: Hex; readonly caveats: readonly Caveat[] }

/**
 * Everything in a tree that allows more than what is above it. An empty list means the tree only narrows.
 *
 * Caveats of all links apply together, so a child that omits a caveat is still bound by it. Only the caveats
 * that the child carries are compared, each with the nearest ones of the same enforcer above it.
 *
 * @example
 * const widenings = findWidenings(buildTree([root, child]), registry)
 * if (widenings.length > 0) throw new Error(widenings[0]?.because)
 */
export function findWidenings(tree: DelegationTree, registry: Registry): readonly Widening[] {
  const widenings: Widening[] = []
  const terms = createTermsCache(registry)
  const bounds = new Map<Hex, ReadonlyMap<string, Holder>>()
  for (const { hash, delegation, parent } of tree.nodes.values()) {
    const above: ReadonlyMap<string, Holder> = (parent && bounds.get(parent)) ?? new Map()
    const own = new Map<string, number[]>()
    delegation.caveats.forEach((caveat, i) => {
      const key = caveat.enforcer.toLowerCase()
      const places = own.get(key)
      if (places) places.push(i)
      else own.set(key, [i])
      const because = terms.wrong(caveat, tree.root)
      if (because) widenings.push({ ...named(hash, hash, i, caveat, registry), because })
    })
    for (const [key, places] of own) {
      const holder = above.get(key)
      if (!holder) continue
      const widening = compare(hash, delegation.caveats, places, holder, registry, terms)
      if (widening) widenings.push(widening)
    }
    bounds.set(hash, own.size === 0 ? above : narrowed(above, own, hash, delegation.caveats))
  }
  return widenings
}

/** One of the child's caveats must cover each caveat above; then the child's together allow no more. */
function compare(
  hash: Hex,
  caveats: readonly Caveat[],
  places: readonly number[],
  holder: Holder,
  registry: Registry,
  terms: TermsCache,
): Widening | undefined {
  for (const bound of holder.caveats) {
    let first: { place: number; because: string } | undefined
    let isCovered = false
    for (const place of places) {
      const caveat = caveats[place]
      if (!caveat) continue
      const coverage = terms.covers(bound, caveat)
      if (coverage.type === 'covered') {
        isCovered = true
        break
      }
      first ??= { place, because: coverage.because }
    }
    const caveat = first && caveats[first.place]
    if (!isCovered && first && caveat) {
      return { ...named(hash, holder.hash, first.place, caveat, registry), because: first.because }
    }
  }
  return undefined
}

function narrowed(
  above: ReadonlyMap<string, Holder>,
  own: ReadonlyMap<string, readonly number[]>,
  hash: Hex,
  caveats: readonly Caveat[],
): ReadonlyMap<string, Holder> {
  const bounds = new Map(above)
  for (const [key, places] of own) {
    bounds.set(key, { hash, caveats: places.flatMap((place) => caveats[place] ?? []) })
  }
  return bounds
}

function named(node: Hex, above: Hex, caveat: number, { enforcer }: Caveat, registry: Registry) {
  return { node, above, caveat, enforcer, name: registry(enforcer)?.name }
}

type TermsCache = ReturnType<typeof createTermsCache>

/** Decodes each distinct terms once: siblings often carry the same. */
export function createTermsCache(registry: Registry) {
  type Entry = { readonly terms: unknown } | { readonly wrong: string }
  const decoded = new Map<BoundKind<unknown>, Map<Hex, Entry>>()

  function decode(kind: BoundKind<unknown>, { terms }: Caveat): Entry {
    let entries = decoded.get(kind)
    if (!entries) {
      entries = new Map()
      decoded.set(kind, entries)
    }
    let entry = entries.get(terms)
    if (!entry) {
      try {
        entry = { terms: kind.decode(terms) }
      } catch (error) {
        if (!(error instanceof BardoError)) throw error
        entry = { wrong: error.shortMessage }
      }
      entries.set(terms, entry)
    }
    return entry
  }

  return {
    /**
     * What is wrong with a caveat alone: terms that cannot be read, or that measure another account than the
     * root's.
     */
    wrong(caveat: Caveat, root?: Address): string | undefined {
      const kind = registry(caveat.enforcer)
      if (!kind) return undefined
      const entry = decode(kind, caveat)
      if ('wrong' in entry) return entry.wrong
      const account = kind.account?.(entry.terms)
      if (account === undefined || root === undefined || account.toLowerCase() === root.toLowerCase())
        return undefined
      return `the caveat measures ${account}; the execution runs on ${root}`
    },

    /** A caveat in words. */
    sentence(caveat: Caveat, names: Names): string {
      const kind = registry(caveat.enforcer)
      const entry = kind && decode(kind, caveat)
      return kind && entry && 'terms' in entry ? kind.describe(entry.terms, names) : `terms ${caveat.terms}`
    },

    covers(parent: Caveat, child: Caveat): Coverage {
      if (parent.terms.toLowerCase() === child.terms.toLowerCase()) return { type: 'covered' }
      const kind = registry(parent.enforcer)
      if (!kind) return { type: 'wider', because: 'the enforcer is unknown, and the terms differ' }
      // Another version of the enforcer reads its terms by its own rules.
      const [above, below] = [decode(kind, parent), decode(registry(child.enforcer) ?? kind, child)]
      if ('wrong' in above)
        return { type: 'wider', because: `the terms above cannot be read: ${above.wrong}` }
      if ('wrong' in below) return { type: 'wider', because: below.wrong }
      return kind.covers(above.terms, below.terms)
    },
  }
}
