import { formatDollars } from '@bardo/core'
import type { Hash } from 'viem'
import { z } from 'zod'
import { golemField, idempotencyField } from './fields.ts'
import { defineTool } from './toolDefinition.ts'

/** A permit has exactly one intent id, so committing the same permit again has no second effect. */
const permitIntent = (golem: Hash, permitId: string) => `${golem}:permit:${permitId}`

/** Commits the previewed action of a permit, once. */
export const commitActionTool = defineTool({
  name: 'commit_action',
  title: 'Commit an action',
  description:
    'Commits the action that preview_action issued a permit for, exactly once: sending the same permit again returns the outcome and has no second effect. Takes only the permit, so nothing other than the previewed action can be done.',
  category: 'action',
  capability: 'write',
  riskLayer: 2,
  tickBudget: 'slow',
  progressSteps: ['Sending the redemption', 'Reading the daily limit'],
  sprite: 'executing',
  promptSnippet: 'Commits the one action of a permit.',
  guidelines: {
    thriving: 'Commit soon after the preview: permits expire within a few ticks.',
    cautious: 'Commit only what is still needed; an expired permit costs nothing.',
    declining: 'Commit only actions that return value to the owner.',
    terminal: 'Nothing can be committed: the wind-down settles open positions.',
  },
  stages: ['thriving', 'cautious', 'declining'],
  destructive: true,
  idempotent: true,
  input: z.strictObject({
    golem: golemField.optional(),
    permitId: z.uuid('must be a permitId of preview_action').describe('The permitId of preview_action'),
    idempotencyKey: idempotencyField.optional(),
  }),
  example: { permitId: '0b6f6f3e-6f0c-4a55-9d5c-0d7b5f5d9c11' },
  subject: ({ golem }) => golem,
  output: z.strictObject({
    transaction: z.string(),
    intentId: z.string().describe('The intent id, for explain_action'),
    spentCents: z.string().describe('US cents; an upper bound'),
    remainingTodayCents: z.string().describe('US cents'),
  }),
  eventFields: {
    start: ({ permitId }) => ({ permitId }),
    end: ({ transaction, spentCents, remainingTodayCents }) => ({
      transaction,
      spentCents,
      remainingTodayCents,
    }),
  },
  say: ({ transaction, spentCents, remainingTodayCents }) =>
    `Done in ${transaction}: at most ${formatDollars(spentCents)} spent, ${formatDollars(remainingTodayCents)} left today.`,
  async run({ open }, { permitId }, { subject, progress }) {
    const golem = await open(subject.id)
    const intentId = permitIntent(subject.id, permitId)
    await progress('Sending the redemption')
    const { transaction, spentCents } = await golem.commit(permitId, intentId)
    await progress('Reading the daily limit')
    const { day } = await golem.look()
    const left = day.limit > day.spent ? day.limit - day.spent : 0n
    return { transaction, intentId, spentCents: `${spentCents}`, remainingTodayCents: `${left}` }
  },
})
