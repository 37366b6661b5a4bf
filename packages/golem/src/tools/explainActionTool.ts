import { explainTransaction } from '@bardo/chain'
import { BardoError } from '@bardo/core'
import { type Hash, isHash } from 'viem'
import { z } from 'zod'
import { explained, explainedSchema } from './explained.ts'
import { golemField } from './fields.ts'
import { stages } from './stage.ts'
import type { ToolContext } from './toolContext.ts'
import { defineTool } from './toolDefinition.ts'
import { toIntention, wishField } from './wish.ts'

const about = z
  .discriminatedUnion('is', [
    z.strictObject({
      is: z.literal('transaction'),
      hash: z
        .string()
        .max(66)
        .refine((text): text is Hash => isHash(text), {
          message: 'give a transaction hash: 0x and 64 digits',
        }),
    }),
    z.strictObject({
      is: z.literal('intent'),
      id: z.string().regex(/^[A-Za-z0-9_.:-]{1,300}$/, 'give an intent id of this Golem'),
    }),
    z.strictObject({ is: z.literal('wish'), wish: wishField }),
  ])
  .describe('A transaction, an intent of this Golem, or something that is only wished for.')

/** Why something passes or not: what was sent, what was refused before it was sent, and what is only wished for. */
export const explainActionTool = defineTool({
  name: 'explain_action',
  title: 'Explain an action',
  description:
    'Says why an action passed or was refused: which link, which caveat, which numbers, and what would make it pass. Takes a transaction hash, an intent id, or a wish that was never sent. Changes nothing.',
  category: 'insight',
  capability: 'read',
  riskLayer: 1,
  tickBudget: 'medium',
  progressSteps: ['Asking the chain'],
  sprite: 'thinking',
  promptSnippet: 'Explains a refusal, or what would become of a wish.',
  guidelines: {
    thriving: 'Explain every refusal before trying again: it says what would pass.',
    cautious: 'Explain a wish before previewing it: bounds narrow with the phase.',
    declining: 'Explain what cannot be closed, for the owner.',
    terminal: 'Explain what was left open, for the owner and the successor.',
  },
  stages,
  destructive: false,
  idempotent: true,
  input: z.strictObject({ golem: golemField.optional(), about }),
  subject: ({ golem }) => golem,
  output: explainedSchema.extend({
    state: z.enum(['landed', 'reverted', 'underWay', 'notSent']),
    transaction: z.string().nullable(),
  }),
  told: {
    start: ({ about: { is } }) => ({ about: is }),
    end: ({ verdict, state }) => ({ verdict, state }),
  },
  say: ({ text, summary }) => (text === '' ? summary : text),
  async run(context, { about: asked }, { subject, progress }) {
    await progress('Asking the chain')
    if (asked.is === 'transaction') return explainSent(context, asked.hash)
    if (asked.is === 'intent') return explainIntent(context, subject.id, asked.id)
    const golem = await context.open(subject.id)
    const wish = explained(context, await golem.explain(toIntention(asked.wish)))
    return { ...wish, state: 'notSent' as const, transaction: null }
  },
})

async function explainSent(context: ToolContext, hash: Hash) {
  const { status, contexts } = await explainTransaction(context.client, context.deployment, hash)
  const found = contexts.map(({ explanation }) => explained(context, explanation))
  const [first] = [...found.filter(({ verdict }) => verdict !== 'passes'), ...found]
  if (!first) throw unknown('the transaction redeems nothing')
  const state = status === 'success' ? ('landed' as const) : ('reverted' as const)
  return { ...first, state, transaction: hash }
}

async function explainIntent(context: ToolContext, golem: Hash, id: string) {
  if (!id.startsWith(`${golem}:`)) throw unknown('it is none of this Golem’s')
  const { journal, grimoire } = context.store
  const [record, warning] = await Promise.all([journal.find(id), grimoire.get(golem, `warning.${id}`)])
  const mined = record?.settlement?.kind === 'landed' ? record.settlement.mined : record?.mined
  if (mined) return explainSent(context, mined.hash)
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
      summary: 'It was given up and never lands.',
      state: 'notSent' as const,
      transaction: null,
    }
  if (record)
    return { ...nothing, summary: 'It is not mined yet.', state: 'underWay' as const, transaction: null }
  const refused = refusal.safeParse(warning?.body)
  if (!refused.success) throw unknown('nothing was ever decided or sent under it')
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

/** A refusal as the heartbeat notes it. */
const refusal = z.object({ text: z.string(), code: z.string(), remedy: z.string().optional() })

function unknown(why: string): BardoError {
  return new BardoError('There is nothing to explain.', {
    code: 'INVALID_INPUT',
    details: [why],
    remedy: 'Take the intent id or the transaction of a result or an event.',
    docsPath: 'explain.md',
  })
}
