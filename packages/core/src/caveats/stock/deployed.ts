import { createDeployedTerms, decodeDeployedTerms } from '@metamask/delegation-core'
import type { Address, Hex } from 'viem'
import { demand, same, size, Unforeseen } from './bytes.ts'
import { stockKind } from './stockKind.ts'
import { coveredIf, named } from './words.ts'

/** A contract that has to be there, and how to deploy it. */
export type DeployedTerms = { readonly contract: Address; readonly salt: Hex; readonly bytecode: Hex }

/** Deployed: a contract is there, or is deployed first. Whether that works, only running it tells. */
export const deployed = stockKind<DeployedTerms>({
  name: 'Deployed',
  encode: ({ contract, salt, bytecode }) =>
    createDeployedTerms({ contractAddress: contract, salt, bytecode }),
  decode(terms) {
    demandLength(terms)
    const { contractAddress, salt, bytecode } = decodeDeployedTerms(terms)
    return { contract: contractAddress, salt, bytecode }
  },
  covers: (parent, child) =>
    coveredIf(
      same(parent.contract, child.contract) &&
        same(parent.salt, child.salt) &&
        same(parent.bytecode, child.bytecode),
      'it is about another contract',
    ),
  describe: ({ contract }, names) => `the contract ${named(contract, names)} is there, or is deployed first`,
  before(terms) {
    demandLength(terms)
    throw new Unforeseen()
  },
})

function demandLength(terms: Hex): void {
  demand(size(terms) > 52, 'DeployedEnforcer:invalid-terms-length', 'Sign terms of more than 52 bytes.')
}
