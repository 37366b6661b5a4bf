import type { Address, Hex } from 'viem'
import { erc721TransferTerms } from '../terms/metamaskTerms.ts'
import { addressAt, demand, demandWellFormed, same, size, slice, word } from './bytes.ts'
import { metamaskKind } from './metamaskKind.ts'
import { coveredIf, named } from './words.ts'

/** One token of a collection. */
export type ERC721TransferTerms = { readonly token: Address; readonly tokenId: bigint }

const enforcer = 'ERC721TransferEnforcer'
/** `transferFrom`, and both forms of `safeTransferFrom`. */
const selectors: readonly Hex[] = ['0x23b872dd', '0x42842e0e', '0xb88d4fde']

/** ERC721Transfer: one call that transfers one signed token, to any recipient. */
export const erc721Transfer = metamaskKind<ERC721TransferTerms>({
  name: 'ERC721Transfer',
  calls: 'single',
  encode: ({ token, tokenId }) => erc721TransferTerms.encode({ tokenAddress: token, tokenId }),
  decode(terms) {
    const { tokenAddress, tokenId } = erc721TransferTerms.decode(terms)
    return { token: tokenAddress, tokenId }
  },
  covers: (parent, child) =>
    coveredIf(
      same(parent.token, child.token) && parent.tokenId === child.tokenId,
      `token ${child.tokenId} of ${child.token}; the parent allows ${parent.tokenId} of ${parent.token}`,
    ),
  describe: ({ token, tokenId }, names) =>
    `only transfers of token ${tokenId} of ${named(token, names)}, to any recipient`,
  before(terms, hook) {
    demand(size(terms) === 52, `${enforcer}:invalid-terms-length`, 'Sign terms of 52 bytes.')
    const token = addressAt(terms, 0)
    const tokenId = word(terms, 20)
    const { target, callData } = hook.single()
    const transfer = `Transfer token ${tokenId} of ${token}.`
    demand(size(callData) >= 100, `${enforcer}:invalid-calldata-length`, transfer)
    const [from, to] = [word(callData, 4), word(callData, 36)]
    demandWellFormed(from < 1n << 160n && to < 1n << 160n)
    demand(
      from !== 0n && to !== 0n,
      `${enforcer}:invalid-address`,
      'Use a sender and a recipient that are not zero.',
    )
    demand(target === token, `${enforcer}:unauthorized-contract-target`, transfer)
    demand(selectors.includes(slice(callData, 0, 4)), `${enforcer}:unauthorized-selector`, transfer)
    demand(word(callData, 68) === tokenId, `${enforcer}:unauthorized-token-id`, transfer)
  },
})
