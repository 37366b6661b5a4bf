import type { ModelRecommendation } from '@bardo/core'
import { z } from 'zod'
import { type Decision, wait } from '../strategy.ts'
import { unusable } from './askModel.ts'

const symbol = z.string().min(1).max(32)
const cents = z.int().min(1)
const rest = { confidence: z.number().min(0).max(1), reason: z.string().max(500) }

/** What a model may say, and nothing else. */
const recommendation = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('wait'), ...rest }),
  z.strictObject({ action: z.literal('swap'), from: symbol, to: symbol, cents, ...rest }),
  z.strictObject({ action: z.enum(['deposit', 'withdraw']), asset: symbol, cents, ...rest }),
])

/** A longer answer is none. Origin: ours; what is asked for fits into a tenth. */
const longestAnswer = 4_096

/** A model's text as a decision and as a recommendation that can be compared. Throws for anything else. */
export function readRecommendation(
  modelId: string,
  content: string,
): { readonly decision: Decision; readonly recommendation: ModelRecommendation } {
  if (content.length > longestAnswer) throw unusable(`it has ${content.length} characters`)
  let value: unknown
  try {
    value = JSON.parse(content)
  } catch {
    throw unusable('it is no JSON')
  }
  const parsed = recommendation.safeParse(value)
  if (!parsed.success)
    throw unusable(`it is wrong at ${parsed.error.issues[0]?.path.join('.') || 'its root'}`)
  const { reason, confidence, ...output } = parsed.data
  return {
    decision: toDecision(parsed.data),
    // Only what would be done is compared: two models word their reasons differently.
    recommendation: { modelId, action: output.action, output, confidence },
  }
}

function toDecision(said: z.infer<typeof recommendation>): Decision {
  switch (said.action) {
    case 'wait':
      return wait(said.reason)
    case 'swap':
      return { is: 'swap', from: said.from, to: said.to, cents: BigInt(said.cents), because: said.reason }
    default:
      return { is: said.action, asset: said.asset, cents: BigInt(said.cents), because: said.reason }
  }
}
