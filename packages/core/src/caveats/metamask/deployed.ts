import type { Address, Hex } from 'viem'
import { deployedTerms } from '../terms/metamaskTerms.ts'
import { demand, same, size, Unforeseen } from './bytes.ts'
import { metamaskKind } from './metamaskKind.ts'
import { coveredIf, named } from './words.ts'

/** A contract that must exist, and how to deploy it. */
export type DeployedTerms = { readonly contract: Address; readonly salt: Hex; readonly bytecode: Hex }

/**
 * Deployed: a contract exists, or is deployed first. Only a simulation can tell whether the deployment works.
 */
export const deployed = metamaskKind<DeployedTerms>({
  name: 'Deployed',
  encode: ({ contract, salt, bytecode }) =>
    deployedTerms.encode({ contractAddress: contract, salt, bytecode }),
  decode(terms) {
    demandLength(terms)
    const { contractAddress, salt, bytecode } = deployedTerms.decode(terms)
    return { contract: contractAddress, salt, bytecode }
  },
  covers: (parent, child) =>
    coveredIf(
      same(parent.contract, child.contract) &&
        same(parent.salt, child.salt) &&
        same(parent.bytecode, child.bytecode),
      'the child names another contract',
    ),
  describe: ({ contract }, names) => `the contract ${named(contract, names)} exists, or is deployed first`,
  before(terms) {
    demandLength(terms)
    throw new Unforeseen()
  },
})

function demandLength(terms: Hex): void {
  demand(size(terms) > 52, 'DeployedEnforcer:invalid-terms-length', 'Sign terms of more than 52 bytes.')
}
