import { z } from 'zod'
import { explained } from './explained.ts'
import { golemField, idempotencyField } from './fields.ts'
import { defineTool } from './toolDefinition.ts'
import { inDollars, toIntention, wishField, wishNumbers } from './wish.ts'

/** Looks at an action before it is done, and gives the permit to do exactly this once. */
export const previewActionTool = defineTool({
  name: 'preview_action',
  title: 'Preview an action',
  description:
    'Asks whether a swap, deposit or withdrawal may be done now: by the plan, the owner’s constitution, every caveat and a dry run on the chain. If all agree, returns a permit for exactly this action, once. Sends nothing. A refusal says which link, which caveat, which numbers, and what would pass.',
  category: 'action',
  capability: 'write',
  riskLayer: 1,
  tickBudget: 'medium',
  progressSteps: ['Checking the bounds', 'Describing what the chain would do'],
  sprite: 'thinking',
  promptSnippet: 'Checks a wished action and gives a permit for it; always the first step of acting.',
  guidelines: {
    thriving: 'Preview what the strategy asks for, then commit it within the ticks that the permit holds.',
    cautious: 'Preview small actions only; in conservation nothing but unwinding and withdrawing passes.',
    declining: 'Preview only what brings value back to the owner.',
    terminal: 'Nothing can be previewed: the Golem’s death settles what is open.',
  },
  stages: ['thriving', 'cautious', 'declining'],
  destructive: false,
  idempotent: false,
  input: z.strictObject({
    golem: golemField.optional(),
    wish: wishField,
    idempotencyKey: idempotencyField.optional(),
  }),
  subject: ({ golem }) => golem,
  output: z.strictObject({
    permitId: z.string().describe('Give it to commit_action'),
    valueLimitCents: z.string().describe('US cents: the most that it may cost'),
    expiresAtTick: z.number().describe('It can be committed before this tick'),
    currentTick: z.number(),
    chainWould: z.string().describe('What the chain would do, link by link'),
  }),
  told: {
    start: ({ wish }) => wishNumbers(wish),
    end: ({ permitId, valueLimitCents, expiresAtTick }) => ({ permitId, valueLimitCents, expiresAtTick }),
  },
  say: ({ permitId, valueLimitCents, expiresAtTick, currentTick, chainWould }) =>
    `Allowed, up to ${inDollars(valueLimitCents)}, before tick ${expiresAtTick} (now ${currentTick}). Permit: ${permitId}\n${chainWould}`,
  async run(context, { wish }, { subject, progress }) {
    const golem = await context.open(subject.id)
    const intention = toIntention(wish)
    await progress('Checking the bounds')
    const { permitId, valueCents, expiresAtTick } = await golem.preview(intention)
    await progress('Describing what the chain would do')
    const { text } = explained(context, await golem.explain(intention))
    const { state } = await golem.status()
    return {
      permitId,
      valueLimitCents: `${valueCents}`,
      expiresAtTick,
      currentTick: state.tick + 1,
      chainWould: text,
    }
  },
})
