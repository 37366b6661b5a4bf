import { formatDollars } from '@bardo/core'
import { z } from 'zod'
import { actionRequestField, exampleRequest, requestNumbers, toIntention } from './actionRequest.ts'
import { explained } from './explained.ts'
import { golemField, idempotencyField } from './fields.ts'
import { defineTool } from './toolDefinition.ts'

/** Checks an action before it is done, and issues the permit to do exactly this action once. */
export const previewActionTool = defineTool({
  name: 'preview_action',
  title: 'Preview an action',
  description:
    'Checks whether a swap, a deposit, a withdrawal, or adding, collecting or removing liquidity is allowed now: by the plan, the owner’s constitution, every caveat and a simulation on the chain. If all allow it, returns a permit for exactly this action, valid once. Sends nothing. A refusal names the link, the caveat, the numbers and what would pass; a refusal by the owner’s limits is recorded.',
  category: 'action',
  capability: 'write',
  riskLayer: 1,
  tickBudget: 'medium',
  progressSteps: ['Checking the limits', 'Simulating on the chain'],
  sprite: 'thinking',
  promptSnippet: 'Checks an action request and issues a permit for it; always the first step of an action.',
  guidelines: {
    thriving: 'Preview the strategy’s action, then commit it before the permit’s expiresAtTick.',
    cautious:
      'Preview small actions only; in the conservation phase only unwinding and withdrawing are allowed.',
    declining: 'Preview only actions that return value to the owner.',
    terminal: 'Nothing can be previewed: the wind-down settles open positions.',
  },
  stages: ['thriving', 'cautious', 'declining'],
  destructive: false,
  idempotent: false,
  input: z.strictObject({
    golem: golemField.optional(),
    wish: actionRequestField,
    delegation: z
      .string()
      .regex(/^0x[0-9a-fA-F]{64}$/)
      .optional()
      .describe(
        'The hash of a delegation that another Golem gave to this one (received in wallet_get_status). The action is then done for that Golem’s owner and within that delegation. Default: the Golem’s own permission',
      ),
    idempotencyKey: idempotencyField.optional(),
  }),
  example: { wish: exampleRequest },
  subject: ({ golem }) => golem,
  output: z.strictObject({
    permitId: z.string().describe('The permit, for commit_action'),
    valueLimitCents: z.string().describe('The maximum cost in US cents'),
    expiresAtTick: z.number().describe('The permit can be committed before this tick'),
    currentTick: z.number(),
    chainWould: z.string().describe('The simulated result, link by link'),
  }),
  eventFields: {
    start: ({ wish }) => requestNumbers(wish),
    end: ({ permitId, valueLimitCents, expiresAtTick }) => ({ permitId, valueLimitCents, expiresAtTick }),
  },
  say: ({ permitId, valueLimitCents, expiresAtTick, currentTick, chainWould }) =>
    `Allowed, up to ${formatDollars(valueLimitCents)}, before tick ${expiresAtTick} (now ${currentTick}). Permit: ${permitId}\n${chainWould}`,
  async run(context, { wish, delegation }, { subject, progress }) {
    const golem = await context.open(subject.id)
    const intention = toIntention(wish)
    await progress('Checking the limits')
    const { capabilityId, valueCents, expiresAtTick } = await golem.preview(intention, delegation)
    await progress('Simulating on the chain')
    const { text } = explained(context, await golem.explain(intention, delegation))
    const { state } = await golem.status()
    return {
      permitId: capabilityId,
      valueLimitCents: `${valueCents}`,
      expiresAtTick,
      currentTick: state.tick + 1,
      chainWould: text,
    }
  },
})
