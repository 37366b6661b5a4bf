import { permissionHealth } from '@bardo/core'
import { formatUnits } from 'viem'
import { z } from 'zod'
import { type RunwayHealth, runwayHealth } from '../runtime/runwayHealth.ts'
import { golemField } from './fields.ts'
import { namesOf } from './namesOf.ts'
import { stages } from './stage.ts'
import type { ToolContext } from './toolContext.ts'
import { defineTool } from './toolDefinition.ts'

const daySeconds = 86_400n

/** How a Golem's permission stands: what is left of the day and of its time. */
export const checkPermissionHealth = defineTool({
  name: 'metamask_check_permission_health',
  title: 'Permission health',
  description:
    'Reads how the signed permission and the runway stand on the chain: what is left of today’s limit, how many days it still runs, when it was last used, and whether it is healthy, low, critical or revoked. Changes nothing.',
  category: 'permission',
  capability: 'read',
  riskLayer: 1,
  tickBudget: 'fast',
  progressSteps: ['Reading the permission from the chain'],
  sprite: 'thinking',
  promptSnippet: 'Shows what is left of the owner’s permission, and its health.',
  guidelines: {
    thriving: 'Look now and then; ask for a renewal once it is low.',
    cautious: 'Look at every tick; tell the owner once it is critical.',
    declining: 'Look at every tick; prepare for the end once it is critical.',
    terminal: 'Look once, to see that it is revoked.',
  },
  stages,
  destructive: false,
  idempotent: true,
  input: z.strictObject({ golem: golemField.optional() }),
  subject: ({ golem }) => golem,
  output: z.strictObject({
    health: z.enum(['healthy', 'low', 'critical', 'revoked']),
    remainingTodayCents: z.string().describe('US cents'),
    dailyLimitCents: z.string().describe('US cents'),
    daysRemaining: z.number(),
    lastUsedAt: z.number().nullable().describe('Unix seconds; null for never'),
    totalRemainingCents: z.string().describe('US cents: what is left of today and of all days after it'),
    runway: z
      .strictObject({
        permissionId: z.string(),
        symbol: z.string(),
        health: z.enum(['healthy', 'low', 'critical', 'revoked']),
        dailyCap: z.string().describe('Whole tokens'),
        remainingToday: z.string().describe('Whole tokens'),
        totalRemaining: z.string().describe('Whole tokens, of today and of all whole days after it'),
        daysRemaining: z.number(),
      })
      .nullable()
      .describe('The ERC-7715 runway; null where there is none'),
  }),
  told: {
    start: () => ({}),
    end: ({ health, remainingTodayCents, daysRemaining }) => ({ health, remainingTodayCents, daysRemaining }),
  },
  say: ({ health, remainingTodayCents, daysRemaining, runway }) =>
    [
      `The permission is ${health}: ${dollars(remainingTodayCents)} left today, ${daysRemaining} whole days to go.`,
      runway
        ? `The runway is ${runway.health}: ${runway.remainingToday} ${runway.symbol} left today, ${runway.daysRemaining} whole days to go.`
        : 'There is no runway.',
    ].join(' '),
  async run(context, _, { subject, progress }) {
    await progress('Reading the permission from the chain')
    const golem = await context.open(subject.id)
    const [{ at, day, revoked, lastExecutionAt }, runway] = await Promise.all([
      golem.look(),
      runwayHealth(context, subject.id),
    ])
    const { terms } = (await golem.status()).charter
    const left = day.limit > day.spent ? day.limit - day.spent : 0n
    const secondsLeft = BigInt(terms.end) - at
    const days = secondsLeft > 0n && !revoked ? secondsLeft / daySeconds : 0n
    return {
      health: permissionHealth({ revoked, dailyCap: day.limit, remainingToday: left, secondsLeft }),
      remainingTodayCents: `${revoked ? 0n : left}`,
      dailyLimitCents: `${day.limit}`,
      daysRemaining: Number(days),
      lastUsedAt: lastExecutionAt ?? null,
      totalRemainingCents: `${revoked ? 0n : left + days * day.limit}`,
      runway: runway ? inTokens(context, runway) : null,
    }
  },
})

function inTokens({ book }: Pick<ToolContext, 'book'>, runway: RunwayHealth) {
  const { permissionId, token, health, daysRemaining } = runway
  const { symbol, decimals } = namesOf(book).token(token) ?? { symbol: token, decimals: 0 }
  return {
    permissionId,
    symbol,
    health,
    dailyCap: formatUnits(runway.dailyCap, decimals),
    remainingToday: formatUnits(runway.remainingToday, decimals),
    totalRemaining: formatUnits(runway.totalRemaining, decimals),
    daysRemaining,
  }
}

const dollars = (cents: string) => `$${(Number(cents) / 100).toFixed(2)}`
