import { describe, expect, it } from 'vitest'
import { registryOf } from '../caveats/boundKind.ts'
import { allowedTargets } from '../caveats/metamask/allowedTargets.ts'
import { limitedCalls } from '../caveats/metamask/limitedCalls.ts'
import { timestamp } from '../caveats/metamask/timestamp.ts'
import { findWidenings } from './attenuation.ts'
import type { Delegation } from './delegation.ts'
import { hashDelegation } from './hashDelegation.ts'
import { addressOf, delegate } from './testing/delegations.ts'
import { buildTree, chainOf } from './tree.ts'

const [targets, calls, time, stranger] = [addressOf(101), addressOf(102), addressOf(103), addressOf(104)]
const registry = registryOf([
  [targets, allowedTargets],
  [calls, limitedCalls],
  [time, timestamp],
])
const limit = (many: number) => [calls, limitedCalls.encode({ limit: many })] as const
const to = (...numbers: number[]) =>
  [targets, allowedTargets.encode({ targets: numbers.map(addressOf) })] as const

describe('attenuation', () => {
  it('finds nothing if every child narrows or has no caveats', () => {
    const root = delegate(0, 1, [limit(10), to(1, 2)])
    const child = delegate(1, 2, [limit(10), to(2)], hashDelegation(root))
    const silent = delegate(2, 3, [], hashDelegation(child))
    const deep = delegate(
      3,
      4,
      [limit(1), [time, timestamp.encode({ afterThreshold: 0, beforeThreshold: 5 })]],
      hashDelegation(silent),
    )
    expect(findWidenings(buildTree([deep, child, root, silent]), registry)).toEqual([])
  })

  it('names the caveat that allows more, with both numbers', () => {
    const root = delegate(0, 1, [to(1), limit(10)])
    const child = delegate(1, 2, [to(1), limit(11)], hashDelegation(root))
    expect(findWidenings(buildTree([root, child]), registry)).toEqual([
      {
        node: hashDelegation(child),
        above: hashDelegation(root),
        caveat: 1,
        enforcer: calls,
        name: 'LimitedCalls',
        because: '11 calls; the parent allows 10',
      },
    ])
  })

  it('looks past a parent without the caveat', () => {
    const root = delegate(0, 1, [limit(10)])
    const silent = delegate(1, 2, [], hashDelegation(root))
    const child = delegate(2, 3, [limit(50)], hashDelegation(silent))
    const [found] = findWidenings(buildTree([root, silent, child]), registry)
    expect(found).toMatchObject({ above: hashDelegation(root), because: '50 calls; the parent allows 10' })
  })

  it('counts terms of an unknown enforcer as wider', () => {
    const root = delegate(0, 1, [[stranger, '0x01']])
    const same = delegate(1, 2, [[stranger, '0x01']], hashDelegation(root))
    const other = delegate(1, 3, [[stranger, '0x02']], hashDelegation(root))
    const found = findWidenings(buildTree([root, same, other]), registry)
    expect(found).toMatchObject([{ node: hashDelegation(other), name: undefined }])
  })

  it('reports terms that cannot be decoded', () => {
    const found = findWidenings(buildTree([delegate(0, 1, [[calls, '0x01']])]), registry)
    expect(found).toMatchObject([{ caveat: 0, because: 'The terms of LimitedCalls are malformed.' }])
  })

  it('checks 100,000 delegations, wide or deep', () => {
    // Uses the salt instead of a hash: this test is about the traversal.
    const keccak = (bytes: Uint8Array) => {
      const last = new Uint8Array(32)
      last.set(bytes.subarray(-32))
      return last
    }
    for (const shape of ['wide', 'deep'] as const) {
      const root = delegate(0, 1, [limit(1_000_000), to(1, 2)])
      const all: Delegation[] = [root]
      let above = hashDelegation(root, keccak)
      for (let i = 1; i < 100_000; i++) {
        const child = delegate(1, 1, [limit(1_000_000 - (shape === 'deep' ? i : 1))], above, BigInt(i))
        all.push(child)
        if (shape === 'deep') above = hashDelegation(child, keccak)
      }
      const tree = buildTree(all, keccak)
      expect(findWidenings(tree, registry)).toEqual([])
      expect(tree.edges.length).toBe(99_999)
    }
  }, 60_000)
})

describe('the tree', () => {
  it('is refused with two owners, a missing parent, a duplicate delegation, or no root', () => {
    const root = delegate(0, 1)
    const child = delegate(1, 2, [], hashDelegation(root))
    expect(() => buildTree([root, delegate(5, 6)])).toThrow('two owners')
    expect(() => buildTree([root, delegate(2, 3, [], hashDelegation(child))])).toThrow(
      'parent of a delegation is missing',
    )
    expect(() => buildTree([root, root])).toThrow('twice')
    expect(() => buildTree([child])).toThrow('root')
    expect(() => buildTree([root, delegate(7, 2, [], hashDelegation(root))])).toThrow(
      'not the delegate of its parent',
    )
  })

  it('gives the links of a context, leaf first', () => {
    const root = delegate(0, 1)
    const child = delegate(1, 2, [], hashDelegation(root))
    const tree = buildTree([child, root])
    expect(tree.edges).toEqual([[hashDelegation(root), hashDelegation(child)]])
    expect(chainOf(tree, hashDelegation(child)).map(({ delegation }) => delegation)).toEqual([child, root])
    expect(() => chainOf(tree, addressOf(1))).toThrow('not in the tree')
  })
})
