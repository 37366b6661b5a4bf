import { explainTransaction } from '@bardo/chain'
import { BardoError, minedTransaction } from '@bardo/core'
import { readConstitutionUse } from '@bardo/golem/action'
import { type Hash, isHash } from 'viem'
import { z } from 'zod'
import { actionRequestField, exampleRequest, toIntention } from './actionRequest.ts'
import { constitutionText } from './constitutionText.ts'
import { explained, explainedSchema } from './explained.ts'
import { golemField } from './fields.ts'
import { stages } from './stage.ts'
import type { ToolContext } from './toolContext.ts'
import { defineTool } from './toolDefinition.ts'

const about = z
  .discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('transaction').describe('A transaction that was sent.'),
      hash: z
        .string()
        .max(66)
        .refine((text): text is Hash => isHash(text), {
          message: 'must be a transaction hash: 0x and 64 hexadecimal digits',
        })
        .describe('A transaction hash: 0x and 64 hexadecimal digits.'),
    }),
    z.strictObject({
      type: z.literal('intent').describe('A decided action, sent or not.'),
      id: z
        .string()
        .regex(/^[A-Za-z0-9_.:-]{1,300}$/, 'must be an intent id of this Golem')
        .describe('An intent id of this Golem, as shown by events and wallet_get_status.'),
    }),
    z.strictObject({
      type: z.literal('wish').describe('An action request that was never sent.'),
      wish: actionRequestField,
    }),
  ])
  .describe('A transaction, an intent of this Golem, or an action request (type “wish”).')

/** Explains why a transaction, an intent or an action request passes or is refused. */
export const explainActionTool = defineTool({
  name: 'explain_action',
  title: 'Explain an action',
  description:
    'Explains why an action passed or was refused: the link, the caveat, the numbers, and what would make it pass. Takes a transaction hash, an intent id, or an action request that was never sent (type “wish”). Changes nothing.',
  category: 'insight',
  capability: 'read',
  riskLayer: 1,
  tickBudget: 'medium',
  progressSteps: ['Reading the chain'],
  sprite: 'thinking',
  promptSnippet: 'Explains a refusal, or the outcome of an action request.',
  guidelines: {
    thriving: 'Explain every refusal before trying again: the explanation says what would pass.',
    cautious: 'Explain an action request before previewing it: limits narrow with the phase.',
    declining: 'Explain positions that cannot be closed, for the owner.',
    terminal: 'Explain positions that stayed open, for the owner and the successor.',
  },
  stages,
  destructive: false,
  idempotent: true,
  input: z.strictObject({ golem: golemField.optional(), about }),
  example: { about: { type: 'wish', wish: exampleRequest } },
  subject: ({ golem }) => golem,
  output: explainedSchema.extend({
    state: z.enum(['landed', 'reverted', 'underWay', 'notSent']),
    transaction: z.string().nullable(),
  }),
  say: ({ text, summary }) => (text === '' ? summary : text),
  async run(context, { about: target }, { subject, progress }) {
    await progress('Reading the chain')
    if (target.type === 'transaction') return explainSent(context, target.hash)
    if (target.type === 'intent') return explainIntent(context, subject.id, target.id)
    const golem = await context.open(subject.id)
    const explanation = explained(context, await golem.explain(toIntention(target.wish)))
    const { permission } = await golem.status()
    const use = (await readConstitutionUse(context, permission)) ?? null
    const text = [explanation.text, ...constitutionText(use)].join('\n\n')
    return { ...explanation, text, state: 'notSent' as const, transaction: null }
  },
})

async function explainSent(context: ToolContext, hash: Hash) {
  const { status, contexts } = await explainTransaction(context.client, context.deployment, hash)
  const explanations = contexts.map(({ explanation }) => explained(context, explanation))
  const [first] = [...explanations.filter(({ verdict }) => verdict !== 'passes'), ...explanations]
  if (!first) throw unknown('the transaction is not a redemption')
  const state = status === 'success' ? ('landed' as const) : ('reverted' as const)
  return { ...first, state, transaction: hash }
}

async function explainIntent(context: ToolContext, golem: Hash, id: string) {
  if (!id.startsWith(`${golem}:`)) throw unknown('the intent belongs to another Golem')
  const { journal, grimoire } = context.store
  const [record, warning] = await Promise.all([journal.find(id), grimoire.get(golem, `warning.${id}`)])
  const mined = record?.settlement?.kind === 'landed' ? record.settlement.mined : record?.mined
  if (mined) return explainSent(context, minedTransaction(mined))
  const nothing = {
    verdict: 'unknown',
    link: null,
    caveat: null,
    error: null,
    remedy: null,
    text: '',
  } as const
  if (record?.settlement)
    return {
      ...nothing,
      summary: 'The intent was cancelled and will not be mined.',
      state: 'notSent' as const,
      transaction: null,
    }
  if (record)
    return {
      ...nothing,
      summary: 'The transaction is not mined yet.',
      state: 'underWay' as const,
      transaction: null,
    }
  const refused = refusal.safeParse(warning?.body)
  if (!refused.success) throw unknown('no action was decided or sent under this intent id')
  const { text: summary, code: error, remedy = null } = refused.data
  return {
    ...nothing,
    verdict: 'refused' as const,
    summary,
    error,
    remedy,
    state: 'notSent' as const,
    transaction: null,
  }
}

/** A refusal as the heartbeat records it. */
const refusal = z.object({ text: z.string(), code: z.string(), remedy: z.string().optional() })

function unknown(why: string): BardoError {
  return new BardoError('Cannot explain this.', {
    code: 'INVALID_INPUT',
    details: [why],
    remedy: 'Use the intent id or the transaction hash of a result or an event.',
    docsPath: 'explain.md',
  })
}
