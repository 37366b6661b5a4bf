import { createOwnershipTransferTerms, decodeOwnershipTransferTerms } from '@metamask/delegation-core'
import type { Address } from 'viem'
import { addressAt, demand, same, size, slice } from './bytes.ts'
import { stockKind } from './stockKind.ts'
import { coveredIf, named } from './words.ts'

/** The contract that may be given away. */
export type OwnershipTransferTerms = { readonly contract: Address }

const enforcer = 'OwnershipTransferEnforcer'

/** OwnershipTransfer: one call, `transferOwnership` of one contract, to anybody. */
export const ownershipTransfer = stockKind<OwnershipTransferTerms>({
  name: 'OwnershipTransfer',
  calls: 'single',
  encode: ({ contract }) => createOwnershipTransferTerms({ contractAddress: contract }),
  decode: (terms) => ({ contract: decodeOwnershipTransferTerms(terms).contractAddress }),
  covers: (parent, child) =>
    coveredIf(same(parent.contract, child.contract), `${child.contract}, the parent ${parent.contract}`),
  describe: ({ contract }, names) =>
    `only handing over the ownership of ${named(contract, names)}, to anybody`,
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
