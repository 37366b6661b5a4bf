import { namesOf } from '@bardo/golem/requests'
import { formatUnits } from 'viem'
import { z } from 'zod'
import { golemField, idempotencyField } from './fields.ts'
import { defineTool } from './toolDefinition.ts'

/** Draws the part of the daily runway that the phase allows. */
export const redeemRunway = defineTool({
  name: 'metamask_redeem_runway',
  title: 'Draw on the runway',
  description:
    'Draws today’s operating funds from the owner’s runway into the owner’s account that the Golem acts for, and nowhere else. By phase: the full daily cap while thriving or stable, half in conservation, a tenth while declining, nothing when terminal. Returns the expected amount and the amount of the receipt.',
  category: 'wallet',
  capability: 'write',
  riskLayer: 2,
  tickBudget: 'medium',
  progressSteps: ['Drawing on the runway'],
  sprite: 'executing',
  promptSnippet: 'Draws today’s operating funds, up to the phase’s share of the cap.',
  guidelines: {
    thriving: 'Draw the amount the day needs, up to the full cap.',
    cautious: 'In the conservation phase half of the cap is available: draw once, and save it.',
    declining: 'A tenth of the cap is available, for inference only.',
    terminal: 'Nothing can be drawn: call metamask_revoke_permissions with the reason “terminal”.',
  },
  stages: ['thriving', 'cautious', 'declining'],
  destructive: false,
  idempotent: true,
  input: z.strictObject({ golem: golemField.optional(), idempotencyKey: idempotencyField.optional() }),
  subject: ({ golem }) => golem,
  output: z.strictObject({
    redeemed: z.string().describe('The amount received, in whole tokens'),
    remaining: z.string().describe('The rest that the phase allows today, in whole tokens'),
    symbol: z.string(),
    phase: z.enum(['thriving', 'stable', 'conservation', 'declining', 'terminal']),
    expectedOutcome: z.string().describe('The amount that the phase allowed, in base units'),
    actualOutcome: z.string().describe('The amount received according to the receipt, in base units'),
    groundTruthSource: z.literal('erc7715_verifier'),
    transaction: z.string(),
  }),
  eventFields: {
    start: (_, { phase }) => ({ phase }),
    end: ({ redeemed, remaining, phase, expectedOutcome, actualOutcome, groundTruthSource }) => ({
      redeemed,
      remaining,
      phase,
      expectedOutcome,
      actualOutcome,
      groundTruthSource,
    }),
  },
  say: ({ redeemed, remaining, symbol, phase, transaction }) =>
    `Drew ${redeemed} ${symbol} in ${transaction} (phase: ${phase}); ${remaining} ${symbol} left today.`,
  async run({ open, book }, _, { id: call, subject, progress }) {
    const golem = await open(subject.id)
    await progress('Drawing on the runway')
    const { token, phase, expected, actual, remaining, transaction } = await golem.draw(call)
    const { symbol, decimals } = namesOf(book).token(token) ?? { symbol: token, decimals: 0 }
    return {
      redeemed: formatUnits(actual, decimals),
      remaining: formatUnits(remaining, decimals),
      symbol,
      phase,
      expectedOutcome: `${expected}`,
      actualOutcome: `${actual}`,
      groundTruthSource: 'erc7715_verifier' as const,
      transaction,
    }
  },
})
