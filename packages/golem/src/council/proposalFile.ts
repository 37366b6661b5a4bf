import { coSigningTypedData, findCoSigned } from '@bardo/chain'
import { BardoError, type Deployment } from '@bardo/core'
import type { Address } from 'viem'
import { z } from 'zod'
import { coSigningOf, type Proposal, proposalSchema } from './proposal.ts'

const number = z.string().regex(/^\d{1,78}$/)
const hex = z.templateLiteral(['0x', z.string().regex(/^(?:[0-9a-fA-F]{2})*$/)])
const hash = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]{64}$/)])
const address = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]{40}$/)])

/** A proposal as a file, for a co-signer in another data folder or with a wallet of their own. */
export const proposalFileSchema = z.looseObject({
  type: z.literal('bardo.proposal'),
  chainId: z.int(),
  request: z.string().max(100),
  context: hex,
  delegation: hash,
  calls: z.array(z.strictObject({ to: address, value: number, data: hex })).min(1),
  nonce: number,
  valueCents: number,
})

/** The signatures of a proposal as a file. */
export const signatureFileSchema = z.strictObject({
  type: z.literal('bardo.coSignatures'),
  request: z.string().max(100),
  signatures: z
    .array(z.strictObject({ key: address, signature: hex }))
    .min(1)
    .max(32),
})

export type ProposalFile = z.infer<typeof proposalFileSchema> & {
  /** What each co-signer signs: EIP-712 typed data, in which the signer's own address differs. */
  readonly sign: readonly { readonly key: Address; readonly typedData: unknown }[]
}

export type SignatureFile = z.infer<typeof signatureFileSchema>

/** Prints a proposal: its bytes, and the typed data for every co-signer. */
export function proposalFile(deployment: Deployment, request: string, proposal: Proposal): ProposalFile {
  const asked = coSigningOf(deployment, proposal) ?? unreadable()
  const keys = findCoSigned(deployment, [asked.delegation]).flatMap(({ coSigners }) => coSigners.keys)
  return {
    type: 'bardo.proposal',
    chainId: deployment.chainId,
    request,
    context: proposal.context,
    delegation: proposal.delegation,
    calls: proposal.calls.map(({ to, value, data }) => ({ to, value: `${value}`, data })),
    nonce: `${proposal.nonce}`,
    valueCents: `${proposal.valueCents}`,
    sign: keys.map((key) => {
      const typed = coSigningTypedData(asked, key)
      return { key, typedData: { ...typed, message: { ...typed.message, nonce: `${proposal.nonce}` } } }
    }),
  }
}

/** The proposal of a file. What it asks for is rebuilt from its bytes; its `sign` is for wallets only. */
export function readProposalFile(
  { chainId }: Pick<Deployment, 'chainId'>,
  file: z.infer<typeof proposalFileSchema>,
): Proposal {
  if (file.chainId !== chainId)
    throw new BardoError('The proposal is for another chain.', {
      code: 'CHAIN_MISMATCH',
      details: [`its chain: ${file.chainId}`, `this chain: ${chainId}`],
    })
  return proposalSchema.parse({
    type: 'cosign',
    context: file.context,
    delegation: file.delegation,
    calls: file.calls.map((call) => ({ ...call, value: BigInt(call.value) })),
    nonce: BigInt(file.nonce),
    valueCents: BigInt(file.valueCents),
  })
}

function unreadable(): never {
  throw new BardoError('The proposal is unreadable, or its delegation names no co-signers.', {
    code: 'INVALID_INPUT',
    docsPath: 'council.md',
  })
}
