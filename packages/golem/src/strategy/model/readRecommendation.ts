import type { ModelRecommendation } from '@bardo/core'
import { z } from 'zod'
import { type Decision, wait } from '../strategy.ts'
import { unusable } from './askModel.ts'

const symbol = z.string().min(1).max(32)
const cents = z.int().min(1)
const rest = { confidence: z.number().min(0).max(1), reason: z.string().max(500) }

const position = {
  assets: z.tuple([symbol, symbol]),
  tokenId: z.string().regex(/^\d{1,78}$/),
}
/** Closing is not limited by an amount: all of the position, or all of its fees. */
const wholePosition = 1n << 62n

/** The only allowed shapes of an answer. */
const recommendation = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('wait'), ...rest }),
  z.strictObject({ action: z.literal('swap'), from: symbol, to: symbol, cents, ...rest }),
  z.strictObject({ action: z.literal('replicate'), cents, ...rest }),
  z.strictObject({ action: z.enum(['deposit', 'withdraw']), asset: symbol, cents, ...rest }),
  z.strictObject({
    action: z.literal('addLiquidity'),
    assets: z.tuple([symbol, symbol]),
    cents,
    downBps: z.int().min(1).max(9_999),
    upBps: z.int().min(1).max(100_000),
    ...rest,
  }),
  z.strictObject({ action: z.literal('removeLiquidity'), ...position, ...rest }),
  z.strictObject({ action: z.literal('collect'), ...position, ...rest }),
])

/** The maximum length of an answer. A valid one needs a tenth of it. */
const longestAnswer = 4_096

/**
 * Parses a model's answer as a decision, and as a recommendation for comparison. Throws for anything else.
 */
export function readRecommendation(
  modelId: string,
  content: string,
): { readonly decision: Decision; readonly recommendation: ModelRecommendation } {
  if (content.length > longestAnswer) throw unusable(`${content.length} characters, at most ${longestAnswer}`)
  let value: unknown
  try {
    value = JSON.parse(content)
  } catch {
    throw unusable('it is not JSON')
  }
  const parsed = recommendation.safeParse(value)
  if (!parsed.success) throw unusable(`invalid at ${parsed.error.issues[0]?.path.join('.') || 'its root'}`)
  const { reason, confidence, ...output } = parsed.data
  return {
    decision: toDecision(parsed.data),
    // Compare only the action: two models word their reasons differently.
    recommendation: { modelId, action: output.action, output, confidence },
  }
}

function toDecision(answer: z.infer<typeof recommendation>): Decision {
  switch (answer.action) {
    case 'wait':
      return wait(answer.reason)
    case 'swap':
      return {
        type: 'swap',
        from: answer.from,
        to: answer.to,
        cents: BigInt(answer.cents),
        because: answer.reason,
      }
    case 'addLiquidity': {
      const { assets, downBps, upBps } = answer
      return {
        type: 'addLiquidity',
        assets,
        downBps,
        upBps,
        cents: BigInt(answer.cents),
        because: answer.reason,
      }
    }
    case 'removeLiquidity':
    case 'collect': {
      const { action: type, assets, reason: because } = answer
      return { type, assets, tokenId: BigInt(answer.tokenId), cents: wholePosition, because }
    }
    case 'replicate':
      return { type: 'replicate', cents: BigInt(answer.cents), because: answer.reason }
    default:
      return { type: answer.action, asset: answer.asset, cents: BigInt(answer.cents), because: answer.reason }
  }
}
