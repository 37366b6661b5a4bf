import { formatDollars, permissionHealth } from '@bardo/core'
import { type RunwayHealth, runwayHealth } from '@bardo/golem/funding'
import { namesOf } from '@bardo/golem/requests'
import { readFamily } from '@bardo/golem/state'
import { formatUnits } from 'viem'
import { z } from 'zod'
import { golemField } from './fields.ts'
import { stages } from './stage.ts'
import type { ToolContext } from './toolContext.ts'
import { defineTool } from './toolDefinition.ts'

const daySeconds = 86_400n

/** Reads the health of a Golem's permission and runway. */
export const checkPermissionHealth = defineTool({
  name: 'metamask_check_permission_health',
  title: 'Permission health',
  description:
    'Reads the state of the signed permission and of the runway on the chain: the rest of today’s limit, the days that remain, the last use, and the health (healthy, low, critical or revoked). Changes nothing.',
  category: 'wallet',
  capability: 'read',
  riskLayer: 1,
  tickBudget: 'fast',
  progressSteps: ['Reading the permission from the chain'],
  sprite: 'thinking',
  promptSnippet: 'Shows the remaining amounts of the owner’s permission and its health.',
  guidelines: {
    thriving: 'Check from time to time; ask for a renewal when the health is low.',
    cautious: 'Check at every tick; tell the owner when the health is critical.',
    declining: 'Check at every tick; prepare for the end when the health is critical.',
    terminal: 'Check once that the permission is revoked.',
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
    lastUsedAt: z.number().nullable().describe('Unix seconds; null if never used'),
    totalRemainingCents: z
      .string()
      .describe('US cents: the rest of today plus the limits of all later whole days'),
    runway: z
      .strictObject({
        permissionId: z.string(),
        symbol: z.string(),
        health: z.enum(['healthy', 'low', 'critical', 'revoked']),
        dailyCap: z.string().describe('Whole tokens'),
        remainingToday: z.string().describe('Whole tokens'),
        totalRemaining: z
          .string()
          .describe('Whole tokens: the rest of today plus the caps of all later whole days'),
        daysRemaining: z.number(),
        drawable: z.boolean().describe('Whether the active session key can draw on it'),
      })
      .nullable()
      .describe('The ERC-7715 runway; null if there is none'),
  }),
  say: ({ health, remainingTodayCents, daysRemaining, runway }) =>
    [
      `The permission is ${health}: ${formatDollars(remainingTodayCents)} left today, ${daysRemaining} whole days remain.`,
      runway
        ? runway.drawable
          ? `The runway is ${runway.health}: ${runway.remainingToday} ${runway.symbol} left today, ${runway.daysRemaining} whole days remain.`
          : `The runway is ${runway.health}: the session key cannot draw on it. Ask the owner for a new runway with metamask_request_runway.`
        : 'There is no runway.',
    ].join(' '),
  async run(context, _, { subject, progress }) {
    await progress('Reading the permission from the chain')
    const golem = await context.open(subject.id)
    const [{ at, day, revoked, lastExecutionAt }, runway] = await Promise.all([
      golem.look(),
      runwayHealth(context, subject.id),
    ])
    const { permission } = await golem.status()
    const { start, end } = (await readFamily(context.store, subject.id)).birth ?? permission.terms
    const left = day.limit > day.spent ? day.limit - day.spent : 0n
    const secondsLeft = BigInt(end) - at
    const days = secondsLeft > 0n && !revoked ? secondsLeft / daySeconds : 0n
    return {
      health: permissionHealth({
        revoked,
        dailyCap: day.limit,
        remainingToday: left,
        secondsLeft,
        windowSeconds: BigInt(end - start),
      }),
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
  const { permissionId, token, health, daysRemaining, isDrawable: drawable } = runway
  const { symbol, decimals } = namesOf(book).token(token) ?? { symbol: token, decimals: 0 }
  return {
    permissionId,
    symbol,
    health,
    dailyCap: formatUnits(runway.dailyCap, decimals),
    remainingToday: formatUnits(runway.remainingToday, decimals),
    totalRemaining: formatUnits(runway.totalRemaining, decimals),
    daysRemaining,
    drawable,
  }
}
