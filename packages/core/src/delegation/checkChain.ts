import type { Hex } from 'viem'
import { checkSignature } from './checkSignature.ts'
import { contextLimits } from './contextLimits.ts'
import { type Delegation, isRoot, mayFollow } from './delegation.ts'
import { hashDelegation } from './hashDelegation.ts'
import { malformed } from './malformed.ts'

/** Refuses links, leaf first, that the manager would refuse whatever they are used for. Gives their hashes. */
export function checkChain(links: readonly Delegation[]): readonly Hex[] {
  if (links.length === 0) {
    // To the manager an empty context means "as myself, without any caveat".
    throw malformed('The context holds no delegation.')
  }
  if (links.length > contextLimits.links) {
    throw malformed('Too many links.', [`${links.length}, at most ${contextLimits.links}`])
  }
  const hashes = links.map((link) => hashDelegation(link))
  const repeated = hashes.find((hash, i) => hashes.indexOf(hash) !== i)
  if (repeated) throw malformed('A delegation is there twice.', [repeated])
  links.forEach((link, i) => {
    checkSignature(link.signature, i)
    if (link.caveats.length > contextLimits.caveats) {
      throw malformed('Too many caveats.', [`${link.caveats.length}, at most ${contextLimits.caveats}`])
    }
    const parent = links[i + 1]
    if (!parent) {
      if (!isRoot(link))
        throw malformed('The last link is not a root.', [`its authority is ${link.authority}`])
      return
    }
    if (link.authority.toLowerCase() !== hashes[i + 1]) {
      throw malformed(`Link ${i} does not hang on link ${i + 1}.`, [
        `its authority is ${link.authority}`,
        `the next link’s hash is ${hashes[i + 1]}`,
      ])
    }
    if (!mayFollow(parent, link)) {
      throw malformed(`Link ${i} was signed by somebody else than link ${i + 1} names.`, [
        `signed for ${link.delegator}`,
        `link ${i + 1} names ${parent.delegate}`,
      ])
    }
  })
  return hashes
}
