import type { Address } from 'viem'
import { ownershipTransferTerms } from '../terms/metamaskTerms.ts'
import { addressAt, demand, same, size, slice } from './bytes.ts'
import { metamaskKind } from './metamaskKind.ts'
import { coveredIf, named } from './words.ts'

/** The contract whose ownership may be transferred. */
export type OwnershipTransferTerms = { readonly contract: Address }

const enforcer = 'OwnershipTransferEnforcer'

/** OwnershipTransfer: one call, `transferOwnership` of one contract, to any new owner. */
export const ownershipTransfer = metamaskKind<OwnershipTransferTerms>({
  name: 'OwnershipTransfer',
  calls: 'single',
  encode: ({ contract }) => ownershipTransferTerms.encode({ contractAddress: contract }),
  decode: (terms) => ({ contract: ownershipTransferTerms.decode(terms).contractAddress }),
  covers: (parent, child) =>
    coveredIf(
      same(parent.contract, child.contract),
      `${child.contract}; the parent allows ${parent.contract}`,
    ),
  describe: ({ contract }, names) =>
    `only transferring the ownership of ${named(contract, names)}, to any new owner`,
  before(terms, hook) {
    const { target, callData } = hook.single()
    demand(
      size(callData) === 36,
      `${enforcer}:invalid-execution-length`,
      'Call transferOwnership(address) and nothing else.',
    )
    demand(
      slice(callData, 0, 4) === '0xf2fde38b',
      `${enforcer}:invalid-method`,
      'Call transferOwnership(address).',
    )
    demand(size(terms) === 20, `${enforcer}:invalid-terms-length`, 'Sign terms of 20 bytes.')
    const contract = addressAt(terms, 0)
    demand(contract === target, `${enforcer}:invalid-contract`, `Call ${contract} instead of ${target}.`)
  },
})
