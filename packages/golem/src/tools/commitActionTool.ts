import type { Hash } from 'viem'
import { z } from 'zod'
import { golemField, idempotencyField } from './fields.ts'
import { defineTool } from './toolDefinition.ts'
import { inDollars } from './wish.ts'

/** The one intent that a permit can be used for: a permit that is committed again does nothing again. */
const permitIntent = (golem: Hash, permitId: string) => `${golem}:permit:${permitId}`

/** Does what a permit allows, once. */
export const commitActionTool = defineTool({
  name: 'commit_action',
  title: 'Commit an action',
  description:
    'Does what preview_action gave a permit for, exactly once: sending the same permit again returns what became of it and has no second effect. Takes nothing but the permit, so that nothing else than the previewed action can be done.',
  category: 'action',
  capability: 'write',
  riskLayer: 2,
  tickBudget: 'slow',
  progressSteps: ['Sending the redemption', 'Reading what is left of the day'],
  sprite: 'executing',
  promptSnippet: 'Does the one action that a permit was given for.',
  guidelines: {
    thriving: 'Commit soon after the preview: permits lapse within a few ticks.',
    cautious: 'Commit only what is still wanted; a permit that lapses costs nothing.',
    declining: 'Commit only what brings value back to the owner.',
    terminal: 'Nothing can be committed: the Golem’s death settles what is open.',
  },
  stages: ['thriving', 'cautious', 'declining'],
  destructive: true,
  idempotent: true,
  input: z.strictObject({
    golem: golemField.optional(),
    permitId: z.uuid('give the permit id of preview_action').describe('From preview_action'),
    idempotencyKey: idempotencyField.optional(),
  }),
  subject: ({ golem }) => golem,
  output: z.strictObject({
    transaction: z.string(),
    intentId: z.string().describe('Give it to explain_action'),
    spentCents: z.string().describe('US cents, at most'),
    remainingTodayCents: z.string().describe('US cents'),
  }),
  told: {
    start: ({ permitId }) => ({ permitId }),
    end: ({ transaction, spentCents, remainingTodayCents }) => ({
      transaction,
      spentCents,
      remainingTodayCents,
    }),
  },
  say: ({ transaction, spentCents, remainingTodayCents }) =>
    `Done in ${transaction}: ${inDollars(spentCents)} at most, ${inDollars(remainingTodayCents)} left today.`,
  async run({ open }, { permitId }, { subject, progress }) {
    const golem = await open(subject.id)
    const intentId = permitIntent(subject.id, permitId)
    await progress('Sending the redemption')
    const { transaction, spentCents } = await golem.commit(permitId, intentId)
    await progress('Reading what is left of the day')
    const { day } = await golem.look()
    const left = day.limit > day.spent ? day.limit - day.spent : 0n
    return { transaction, intentId, spentCents: `${spentCents}`, remainingTodayCents: `${left}` }
  },
})
