import { encodeFunctionData, getContractAddress, type Hex } from 'viem'
import { BardoError } from '../errors/BardoError.ts'
import { factoryAbi } from './abi.ts'
import { proxyCreationCode } from './proxyCreationCode.ts'
import type { AccountContext } from './smartAccount.ts'

/** The address of an account that does not exist yet, and the call that deploys it. */
export function createdAccount(
  { framework }: AccountContext,
  implementationName: 'HybridDeleGatorImpl' | 'MultiSigDeleGatorImpl',
  initialize: Hex,
  salt: Hex,
) {
  const implementation = framework.implementations[implementationName]
  if (!implementation)
    throw new BardoError(`The framework has no ${implementationName} on this chain.`, {
      code: 'UNSUPPORTED_CHAIN',
    })
  const bytecode = proxyCreationCode(implementation, initialize)
  return {
    address: getContractAddress({ opcode: 'CREATE2', from: framework.SimpleFactory, bytecode, salt }),
    factory: {
      to: framework.SimpleFactory,
      data: encodeFunctionData({ abi: factoryAbi, functionName: 'deploy', args: [bytecode, salt] }),
    },
  }
}
