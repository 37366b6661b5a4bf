import type { SmartAccount } from '@bardo/core'
import { type Address, decodeAbiParameters, encodeAbiParameters, type Hash, type Hex } from 'viem'
import { getUserOperationHash, toPackedUserOperation, type UserOperation } from 'viem/account-abstraction'

/** A UserOperation of EntryPoint 0.7. */
export type Operation = UserOperation<'0.7'>

const domainNames = {
  hybrid: 'HybridDeleGator',
  multisig: 'MultiSigDeleGator',
  upgraded: 'EIP7702StatelessDeleGator',
} as const

const packedTypes = [
  { name: 'sender', type: 'address' },
  { name: 'nonce', type: 'uint256' },
  { name: 'initCode', type: 'bytes' },
  { name: 'callData', type: 'bytes' },
  { name: 'accountGasLimits', type: 'bytes32' },
  { name: 'preVerificationGas', type: 'uint256' },
  { name: 'gasFees', type: 'bytes32' },
  { name: 'paymasterAndData', type: 'bytes' },
] as const

const packedTuple = {
  type: 'tuple',
  components: [...packedTypes, { name: 'signature', type: 'bytes' }],
} as const

/** The typed data of an operation's signature: the account's own, not the EntryPoint's hash. */
export function userOperationTypedData(
  { kind, address, chainId, framework }: Omit<SmartAccount, 'signer'>,
  operation: Operation,
) {
  const { signature: _, ...packed } = toPackedUserOperation(operation)
  return {
    domain: { name: domainNames[kind], version: '1', chainId, verifyingContract: address },
    types: { PackedUserOperation: [...packedTypes, { name: 'entryPoint', type: 'address' }] },
    primaryType: 'PackedUserOperation',
    message: { ...packed, entryPoint: framework.EntryPoint },
  } as const
}

/** The operation with its account's signature. */
export async function signUserOperation(account: SmartAccount, operation: Operation): Promise<Operation> {
  const signature = await account.signer.signTypedData(userOperationTypedData(account, operation))
  return { ...operation, signature }
}

/** The hash by which the EntryPoint and bundlers identify an operation. It does not cover the signature. */
export function userOperationHash(operation: Operation, entryPoint: Address, chainId: number): Hash {
  return getUserOperationHash({
    chainId,
    entryPointAddress: entryPoint,
    entryPointVersion: '0.7',
    userOperation: operation,
  })
}

/** The bytes of a signed operation, for a journal. */
export function encodeUserOperation(operation: Operation): Hex {
  return encodeAbiParameters([packedTuple], [toPackedUserOperation(operation)])
}

/** Decodes a signed operation from its bytes. */
export function decodeUserOperation(raw: Hex): Operation {
  const [packed] = decodeAbiParameters([packedTuple], raw)
  const { sender, nonce, callData, preVerificationGas, signature, initCode, paymasterAndData } = packed
  const [verificationGasLimit, callGasLimit] = halves(packed.accountGasLimits)
  const [maxPriorityFeePerGas, maxFeePerGas] = halves(packed.gasFees)
  return {
    sender,
    nonce,
    callData,
    callGasLimit,
    verificationGasLimit,
    preVerificationGas,
    maxFeePerGas,
    maxPriorityFeePerGas,
    signature,
    ...(initCode !== '0x' && { factory: cut(initCode, 0, 20), factoryData: cut(initCode, 20) }),
    ...(paymasterAndData !== '0x' && {
      paymaster: cut(paymasterAndData, 0, 20),
      paymasterVerificationGasLimit: BigInt(cut(paymasterAndData, 20, 36)),
      paymasterPostOpGasLimit: BigInt(cut(paymasterAndData, 36, 52)),
      paymasterData: cut(paymasterAndData, 52),
    }),
  }
}

const halves = (word: Hex) => [BigInt(cut(word, 0, 16)), BigInt(cut(word, 16))] as const

/** Bytes `from` to `to`; `0x` if the input is shorter. */
const cut = (bytes: Hex, from: number, to?: number): Hex => `0x${bytes.slice(2 + 2 * from, to && 2 + 2 * to)}`
