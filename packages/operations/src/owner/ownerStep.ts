import { canonicalJson } from '@bardo/core'
import {
  type Address,
  encodeAbiParameters,
  getTypesForEIP712Domain,
  type Hash,
  type Hex,
  hashTypedData,
  keccak256,
  parseAbiParameters,
  stringify,
  stringToHex,
  type TypedDataDefinition,
} from 'viem'
import { z } from 'zod'
import {
  permissionSentences,
  type StepWords,
  signatureSentences,
  transactionSentences,
} from './stepSentences.ts'

/** Something that only the owner can do: sign typed data, send a transaction, or grant permissions with a wallet. */
export type OwnerStep =
  | { readonly type: 'signature'; readonly digest: Hash; readonly typedData: TypedDataDefinition }
  | {
      readonly type: 'transaction'
      readonly digest: Hash
      readonly chainId: number
      readonly from: Address
      readonly to: Address
      readonly value: bigint
      readonly data: Hex
    }
  | {
      readonly type: 'permissions'
      readonly digest: Hash
      readonly method: string
      readonly params: unknown
    }

/** A step that asks for a signature. Its digest is what the owner's key signs. */
export function signatureStep(typedData: TypedDataDefinition): Extract<OwnerStep, { type: 'signature' }> {
  return { type: 'signature', digest: hashTypedData(typedData), typedData }
}

/** A step that asks for a transaction. Its digest covers everything but nonce and fees, which the wallet chooses. */
export function transactionStep(
  transaction: Omit<Extract<OwnerStep, { type: 'transaction' }>, 'type' | 'digest'>,
): Extract<OwnerStep, { type: 'transaction' }> {
  const { chainId, from, to, value, data } = transaction
  const digest = keccak256(
    encodeAbiParameters(parseAbiParameters('uint256, address, address, uint256, bytes'), [
      BigInt(chainId),
      from,
      to,
      value,
      data,
    ]),
  )
  return { type: 'transaction', digest, ...transaction }
}

/** A step that asks the owner's wallet for permissions (ERC-7715). */
export function permissionsStep({
  method,
  params,
  owner,
}: {
  readonly method: string
  readonly params: unknown
  readonly owner: Address
}): Extract<OwnerStep, { type: 'permissions' }> {
  const digest = keccak256(stringToHex(canonicalJson({ method, params, owner })))
  return { type: 'permissions', digest, method, params }
}

const hexSchema = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]*$/)])
const sentences = z.array(z.string())

/**
 * A step as JSON. `typedData` can be given to `eth_signTypedData_v4` as it is, `method` and `params` to a wallet with
 * ERC-7715.
 */
export const ownerStepSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('signature'),
    digest: hexSchema,
    sentences,
    typedData: z.record(z.string(), z.unknown()),
  }),
  z.strictObject({
    type: z.literal('transaction'),
    digest: hexSchema,
    sentences,
    chainId: z.int(),
    from: hexSchema,
    to: hexSchema,
    value: z.string(),
    data: hexSchema,
  }),
  z.strictObject({
    type: z.literal('permissions'),
    digest: hexSchema,
    sentences,
    method: z.string(),
    params: z.json(),
  }),
])

/** A step as JSON. */
export type OwnerStepJson = z.output<typeof ownerStepSchema>

/** The step as JSON, with sentences that are derived from its bytes. */
export function ownerStepToJson(step: OwnerStep, words: StepWords): OwnerStepJson {
  if (step.type === 'transaction') {
    const { value, ...rest } = step
    return { ...rest, value: `${value}`, sentences: transactionSentences(step, words) }
  }
  if (step.type === 'permissions') {
    const params = z.json().parse(JSON.parse(stringify(step.params)))
    return { ...step, params, sentences: permissionSentences(params, words) }
  }
  const { digest, typedData } = step
  const { domain, types, primaryType, message } = typedData
  const EIP712Domain = getTypesForEIP712Domain({ domain })
  const whole = { domain, types: { EIP712Domain, ...types }, primaryType, message }
  return {
    type: 'signature',
    digest,
    typedData: JSON.parse(stringify(whole)),
    sentences: signatureSentences(typedData, words),
  }
}
