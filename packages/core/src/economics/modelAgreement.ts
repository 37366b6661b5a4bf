/** A model's recommendation, as structured output. */
export type ModelRecommendation = {
  readonly modelId: string
  readonly action: string
  readonly output: StructuredOutput
  /** 0 to 1. */
  readonly confidence: number
}

/** Plain data, as a model returns it. */
export type StructuredOutput =
  | string
  | number
  | boolean
  | null
  | readonly StructuredOutput[]
  | { readonly [key: string]: StructuredOutput }

/** Two recommendations, and whether they are similar enough to act on. */
export type ModelAgreement = { readonly agreement: number; readonly approved: boolean }

/** Minimum cosine similarity of two outputs. */
export const leastAgreement = 0.7
// Deeper output is not a recommendation; it counts as disagreement.
const mostDepth = 32

/**
 * Whether two different models agree. An output becomes a vector with one unit per path and text, and one
 * unit per path and number. The angle between two numbers on a path grows with their difference: 1,000 and 10
 * must not count as similar only because both are positive.
 *
 * @example
 * const say = (modelId: string) => ({ modelId, action: 'swap', output: { side: 'buy' }, confidence: 1 })
 * modelAgreement(say('one'), say('other')).approved // true
 */
export function modelAgreement(primary: ModelRecommendation, secondary: ModelRecommendation): ModelAgreement {
  const agreement = cosine(primary.output, secondary.output)
  const sameAction = primary.action === secondary.action
  // The same model asked twice is not a second opinion.
  const approved = sameAction && primary.modelId !== secondary.modelId && agreement >= leastAgreement
  return { agreement, approved }
}

/**
 * Cosine similarity of two structured outputs, 0 to 1.
 *
 * @example
 * cosine({ side: 'buy' }, { side: 'buy' }) // 1
 */
export function cosine(a: StructuredOutput, b: StructuredOutput): number {
  const [left, right] = [vectorOf(a), vectorOf(b)]
  if (!left || !right) return 0
  if (left.size === 0 || right.size === 0) return left.size === right.size ? 1 : 0
  let dot = 0
  for (const [key, value] of left) dot += likeness(value, right.get(key))
  return Math.min(1, dot / Math.sqrt(left.size * right.size))
}

/**
 * The cosine of two values on one path, each a unit vector: 1 if equal, the ratio for two numbers of one
 * sign.
 */
function likeness(x: number, y: number | undefined): number {
  if (y === undefined) return 0
  if (x === y) return 1
  return x * y > 0 ? Math.min(Math.abs(x), Math.abs(y)) / Math.max(Math.abs(x), Math.abs(y)) : 0
}

function vectorOf(output: StructuredOutput): Map<string, number> | undefined {
  const vector = new Map<string, number>()
  const walk = (value: StructuredOutput, path: string, depth: number): boolean => {
    if (depth > mostDepth) return false
    if (typeof value === 'number') {
      if (!Number.isFinite(value)) return false
      vector.set(`${path}#`, value)
    } else if (value === null || typeof value !== 'object') vector.set(`${path}=${typeof value}:${value}`, 1)
    else {
      for (const [key, inner] of Object.entries(value)) {
        if (!walk(inner, `${path}/${key.replaceAll('/', '//')}`, depth + 1)) return false
      }
    }
    return true
  }
  return walk(output, '', 0) ? vector : undefined
}
