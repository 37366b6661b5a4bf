import type { Hex } from 'viem'
import { checkSignature } from './checkSignature.ts'
import { contextLimits } from './contextLimits.ts'
import { type Delegation, isRoot, mayFollow } from './delegation.ts'
import { hashDelegation } from './hashDelegation.ts'
import { malformed } from './malformed.ts'

/**
 * Refuses links, leaf first, that the manager always refuses. Returns their hashes.
 *
 * @example
 * const [leafHash, rootHash] = checkDelegations([leaf, root])
 */
export function checkDelegations(links: readonly Delegation[]): readonly Hex[] {
  if (links.length === 0) {
    // The manager reads an empty context as "the redeemer itself, without caveats".
    throw malformed('The permission context contains no delegation.')
  }
  if (links.length > contextLimits.links) {
    throw malformed('Too many links.', [`${links.length}, at most ${contextLimits.links}`])
  }
  const hashes = links.map((link) => hashDelegation(link))
  const repeated = hashes.find((hash, i) => hashes.indexOf(hash) !== i)
  if (repeated) throw malformed('The permission context contains a delegation twice.', [repeated])
  links.forEach((link, i) => {
    checkSignature(link.signature, i)
    if (link.caveats.length > contextLimits.caveats) {
      throw malformed('Too many caveats.', [`${link.caveats.length}, at most ${contextLimits.caveats}`])
    }
    const parent = links[i + 1]
    if (!parent) {
      if (!isRoot(link))
        throw malformed('The last link is not a root delegation.', [`its authority is ${link.authority}`])
      return
    }
    if (link.authority.toLowerCase() !== hashes[i + 1]) {
      throw malformed(`Link ${i} does not refer to link ${i + 1}.`, [
        `its authority is ${link.authority}`,
        `the next link’s hash is ${hashes[i + 1]}`,
      ])
    }
    if (!mayFollow(parent, link)) {
      throw malformed(`The delegator of link ${i} is not the delegate of link ${i + 1}.`, [
        `its delegator is ${link.delegator}`,
        `the delegate of link ${i + 1} is ${parent.delegate}`,
      ])
    }
  })
  return hashes
}
