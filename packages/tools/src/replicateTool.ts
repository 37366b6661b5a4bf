import { formatDollars, formatMinute, methodNames } from '@bardo/core'
import { z } from 'zod'
import { amountField, golemField, idempotencyField } from './fields.ts'
import { defineTool } from './toolDefinition.ts'

/** Creates a child of the Golem, within what the owner signed for Replicants. */
export const replicateTool = defineTool({
  name: 'replicate',
  title: 'Create a Replicant',
  description:
    'Creates a child Golem (a Replicant) with a part of this Golem’s own limits: a daily limit, a total budget, a lifetime and a number of actions. Only if the owner’s signed strategy allows Replicants, and within its numbers: how many at the same time, how much a day, how long. Nothing gets wider: what the child spends counts in this Golem’s budget. Repeating the call with the same name does not create a second child.',
  category: 'action',
  capability: 'write',
  riskLayer: 2,
  tickBudget: 'slow',
  progressSteps: ['Creating the child'],
  sprite: 'executing',
  promptSnippet: 'Creates a child with a part of the Golem’s own limits, if the signed strategy allows it.',
  guidelines: {
    thriving:
      'Create a child only for a task that needs its own budget; its share is not yours until it ends.',
    cautious: 'Not allowed: only a thriving Golem can have new children.',
    declining: 'Not allowed: only a thriving Golem can have new children.',
    terminal: 'Not allowed: children end with the Golem.',
  },
  stages: ['thriving'],
  destructive: false,
  idempotent: true,
  input: z.strictObject({
    golem: golemField.optional(),
    name: z
      .string()
      .regex(/^[a-zA-Z0-9][a-zA-Z0-9 _.-]{0,63}$/, 'must be a name in plain letters')
      .describe('The child’s name. No other living Golem of the owner may have it.'),
    dailyDollars: amountField(2, 'The most that it spends in any 24 hours, in US dollars.'),
    budgetDollars: amountField(2, 'The most that it spends in its whole life, in US dollars.'),
    hours: z.int().min(1).max(8_760).describe('Its lifetime in hours.'),
    calls: z.int().min(1).max(1_000_000).default(50).describe('The maximum number of its actions.'),
    methods: z
      .array(z.enum(methodNames))
      .min(1)
      .optional()
      .describe('A part of this Golem’s methods. Default: all of them.'),
    targets: z
      .array(z.string().regex(/^[A-Za-z0-9/. ]{1,64}$/, 'must be the name or the address of a contract'))
      .min(1)
      .optional()
      .describe('A part of this Golem’s contracts, such as “swapRouter02” or “vault USDC”. Default: all.'),
    idempotencyKey: idempotencyField.optional(),
  }),
  example: { name: 'scout', dailyDollars: 2, budgetDollars: 10, hours: 24 },
  subject: ({ golem }) => golem,
  output: z.strictObject({
    child: z.string().describe('The child’s id'),
    name: z.string(),
    dailyCents: z.string().describe('US cents'),
    budgetCents: z.string().describe('US cents'),
    endsAt: z.number().describe('Unix seconds'),
  }),
  eventFields: {
    start: ({ dailyDollars, budgetDollars, hours }) => ({
      dailyCents: dailyDollars,
      budgetCents: budgetDollars,
      hours,
    }),
    end: ({ child, endsAt }) => ({ child, endsAt }),
  },
  say: ({ child, name, dailyCents, budgetCents, endsAt }) =>
    `${name} is alive: ${child}. At most ${formatDollars(dailyCents)} a day and ${formatDollars(budgetCents)} in total, until ${formatMinute(endsAt)} UTC.`,
  async run(
    { open },
    { name, dailyDollars, budgetDollars, hours, calls, methods, targets },
    { subject, progress },
  ) {
    const golem = await open(subject.id)
    await progress('Creating the child')
    const child = await golem.replicate({
      name,
      dailyCents: dailyDollars,
      budgetCents: budgetDollars,
      lifespanSeconds: hours * 3_600,
      calls,
      methods,
      targets,
    })
    const { at } = await golem.look()
    const endsAt = Number(at) + hours * 3_600
    return { child, name, dailyCents: `${dailyDollars}`, budgetCents: `${budgetDollars}`, endsAt }
  },
})
