import { BardoError } from '@bardo/core'
import type { z } from 'zod'

/** The most that a call may carry, in characters and in values. Origin: ours; the widest honest call has a few hundred. */
const mostCharacters = 20_000
const mostValues = 1_000

/**
 * What a caller sent, as a tool takes it. All that is wrong is said at once, by place; what was sent is never repeated, as
 * it may be a secret, or words that are meant for a model.
 */
export function parseInput<Input>(schema: z.ZodType<Input>, raw: unknown): Input {
  if (!isModest(raw))
    throw invalid([`it holds more than ${mostCharacters} characters or ${mostValues} values`])
  const parsed = schema.safeParse(raw ?? {})
  if (parsed.success) return parsed.data
  throw invalid(
    parsed.error.issues.slice(0, 5).map(({ path, code, message }) => {
      const place = path.map(String).join('.').slice(0, 100) || 'the input'
      // A message about unknown keys repeats them.
      return code === 'unrecognized_keys'
        ? `${place}: it holds names that are not known`
        : `${place}: ${message}`
    }),
  )
}

/** Whether a value is small enough to be looked at. Walks no further than the bound. */
function isModest(raw: unknown): boolean {
  const waiting: unknown[] = [raw]
  let [characters, values] = [0, 0]
  while (waiting.length > 0) {
    const value = waiting.pop()
    values += 1
    if (typeof value === 'string') characters += value.length
    if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value).slice(0, mostValues + 1)) {
        characters += key.length
        waiting.push(inner)
      }
    }
    if (characters > mostCharacters || values + waiting.length > mostValues) return false
  }
  return true
}

function invalid(details: readonly string[]): BardoError {
  return new BardoError('The tool cannot be called like this.', {
    code: 'INVALID_INPUT',
    details,
    remedy: 'Look at the tool’s input schema and call it again.',
    docsPath: 'tools.md#what-a-call-may-hold',
  })
}
