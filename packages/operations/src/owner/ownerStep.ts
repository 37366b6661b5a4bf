import { caveatRegistry, type Deployment, type Names } from '@bardo/core'
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
  type TypedDataDefinition,
} from 'viem'
import { z } from 'zod'

/** Something that only the owner can do: sign typed data, or send a transaction. */
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

const hexSchema = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]*$/)])
const sentences = z.array(z.string())

/** A step as JSON. `typedData` can be given to `eth_signTypedData_v4` as it is. */
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
])

/** A step as JSON. */
export type OwnerStepJson = z.output<typeof ownerStepSchema>

/** The step as JSON, with sentences that are derived from its bytes. */
export function ownerStepToJson(
  step: OwnerStep,
  { deployment, names }: { readonly deployment: Deployment; readonly names: Names },
): OwnerStepJson {
  if (step.type === 'transaction') {
    const { value, ...rest } = step
    return { ...rest, value: `${value}`, sentences: [transactionSentence(step, names)] }
  }
  const { digest, typedData } = step
  const { domain, types, primaryType, message } = typedData
  const EIP712Domain = getTypesForEIP712Domain({ domain })
  const whole = { domain, types: { EIP712Domain, ...types }, primaryType, message }
  return {
    type: 'signature',
    digest,
    typedData: JSON.parse(stringify(whole)),
    sentences: signatureSentences(typedData, deployment, names),
  }
}

const delegationMessage = z.object({
  delegate: hexSchema,
  delegator: hexSchema,
  caveats: z.array(z.object({ enforcer: hexSchema, terms: hexSchema })),
})

function signatureSentences(
  { primaryType, message }: TypedDataDefinition,
  deployment: Deployment,
  names: Names,
): string[] {
  const parsed = delegationMessage.safeParse(message)
  if (primaryType !== 'Delegation' || !parsed.success) return [`Sign ${primaryType}.`]
  const { delegate, delegator, caveats } = parsed.data
  const registry = caveatRegistry(deployment)
  return [
    `The account ${delegator} lets ${delegate} act for it, only within these limits:`,
    ...caveats.map(({ enforcer, terms }) => {
      const kind = registry(enforcer)
      return kind
        ? `${kind.name}: ${kind.describe(kind.decode(terms), names)}`
        : `Unknown limit ${enforcer}: ${terms}`
    }),
  ]
}

function transactionSentence(
  { from, to, value, data }: Extract<OwnerStep, { type: 'transaction' }>,
  names: Names,
): string {
  const target = names.token(to)?.symbol ?? names.label(to) ?? to
  return data === '0x'
    ? `${from} sends ${value} wei to ${to}.`
    : `${from} calls ${target}${value > 0n ? ` with ${value} wei` : ''}.`
}
