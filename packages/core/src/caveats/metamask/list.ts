import type { Hex } from 'viem'
import type { Coverage } from '../caveatKind.ts'
import { demand, size, slice } from './bytes.ts'
import { covered, wider } from './words.ts'

/** Checks that the terms are a packed list of items of one size, with at least one item. */
export function packedList(terms: Hex, itemSize: number, reason: string): readonly Hex[] {
  const length = size(terms)
  demand(length > 0 && length % itemSize === 0, reason, 'Sign terms with at least one whole entry.')
  return Array.from({ length: length / itemSize }, (_, i) => slice(terms, i * itemSize, (i + 1) * itemSize))
}

/** Whether every entry of the child is an entry of the parent. */
export function coversList(parent: readonly Hex[], child: readonly Hex[]): Coverage {
  const allowed = new Set(parent.map((item) => item.toLowerCase()))
  const beyond = child.find((item) => !allowed.has(item.toLowerCase()))
  return beyond ? wider(`${beyond} is not one of the parent’s ${parent.length} entries`) : covered
}
