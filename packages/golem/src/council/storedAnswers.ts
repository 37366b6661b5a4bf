import type { CoSignature } from '@bardo/chain'
import type { Store, Transaction } from '@bardo/store'
import type { Address, Hash } from 'viem'
import { z } from 'zod'

/** What one co-signer answered to a proposal. */
export type MemberAnswer =
  | ({ readonly type: 'signed' } & CoSignature)
  | {
      readonly type: 'refused'
      readonly key: Address
      readonly because: string
      /** Whether the member evaluates the proposal again at its next tick. */
      readonly isFinal: boolean
    }

const hex = z.templateLiteral(['0x', z.string().regex(/^(?:[0-9a-fA-F]{2})*$/)])
const address = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]{40}$/)])
const answerSchema: z.ZodType<MemberAnswer> = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('signed'), key: address, signature: hex }),
  z.strictObject({ type: z.literal('refused'), key: address, because: z.string(), isFinal: z.boolean() }),
])

const kind = 'coSignature'
const prefixOf = (proposal: string) => `${kind}.${proposal}.`
/** The most answers of one proposal: a Cage holds 32 keys. */
const mostAnswers = 64

/** The answers to a proposal, one for each key. They are not checked: a signature counts only if it is valid. */
export async function readAnswers(
  store: Pick<Store, 'grimoire'>,
  golem: Hash,
  proposal: string,
): Promise<readonly MemberAnswer[]> {
  const rows = await store.grimoire.list({ golem, prefix: prefixOf(proposal), kind, limit: mostAnswers })
  return rows.flatMap(({ body }) => {
    const parsed = answerSchema.safeParse(body)
    return parsed.success ? [parsed.data] : []
  })
}

/** Stores the answer of one key, in the place of an earlier one. */
export function writeAnswer(
  { grimoire }: Pick<Transaction, 'grimoire'>,
  golem: Hash,
  proposal: string,
  answer: MemberAnswer,
): Promise<void> {
  const key = `${prefixOf(proposal)}${answer.key.toLowerCase()}`
  return grimoire.put({ golem, key, kind, body: answer })
}

/** Deletes the answers to a proposal that is over. */
export async function removeAnswers(
  { grimoire }: Pick<Store, 'grimoire'>,
  golem: Hash,
  proposal: string,
): Promise<void> {
  const rows = await grimoire.list({ golem, prefix: prefixOf(proposal), kind, limit: mostAnswers })
  await Promise.all(rows.map(({ key }) => grimoire.remove(golem, key)))
}
