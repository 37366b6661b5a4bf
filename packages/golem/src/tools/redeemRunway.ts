import { formatUnits } from 'viem'
import { z } from 'zod'
import { golemField, idempotencyField } from './fields.ts'
import { namesOf } from './namesOf.ts'
import { defineTool } from './toolDefinition.ts'

/** Draws what the phase allows of the day's runway. */
export const redeemRunway = defineTool({
  name: 'metamask_redeem_runway',
  title: 'Draw on the runway',
  description:
    'Draws operating funds of the day from the owner’s runway, into the owner’s account that the Golem works for and nowhere else. By phase: all of the day’s cap while thriving or stable, half in conservation, a tenth while declining, nothing once terminal. Tells what was expected and what the receipt shows.',
  category: 'permission',
  capability: 'write',
  riskLayer: 2,
  tickBudget: 'medium',
  progressSteps: ['Drawing on the runway'],
  sprite: 'executing',
  promptSnippet: 'Draws the day’s operating funds, as much as the phase allows.',
  guidelines: {
    thriving: 'Draw what the day needs, up to the whole cap.',
    cautious: 'In conservation half of the cap is all there is: draw once, and keep it.',
    declining: 'A tenth of the cap is left, for thinking only.',
    terminal: 'Nothing is drawn any more: call metamask_revoke_permissions with the reason “terminal”.',
  },
  stages: ['thriving', 'cautious', 'declining'],
  destructive: false,
  idempotent: true,
  input: z.strictObject({ golem: golemField.optional(), idempotencyKey: idempotencyField.optional() }),
  subject: ({ golem }) => golem,
  output: z.strictObject({
    redeemed: z.string().describe('What came in, in whole tokens'),
    remaining: z.string().describe('What the phase still allows today, in whole tokens'),
    symbol: z.string(),
    phase: z.enum(['thriving', 'stable', 'conservation', 'declining', 'terminal']),
    expectedOutcome: z.string().describe('What the phase allowed, in the token’s units'),
    actualOutcome: z.string().describe('What came in by the receipt, in the token’s units'),
    groundTruthSource: z.literal('erc7715_verifier'),
    transaction: z.string(),
  }),
  told: {
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
    `Drew ${redeemed} ${symbol} while ${phase}, ${remaining} ${symbol} left today, in ${transaction}.`,
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
