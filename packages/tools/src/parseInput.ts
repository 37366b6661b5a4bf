import { BardoError, upgradeNames } from '@bardo/core'
import type { z } from 'zod'

/**
 * The maximum size of a call's input, in characters and in values. The largest valid input has a few hundred.
 */
const mostCharacters = 20_000
const mostValues = 1_000
/** Version 0.1 called the discriminant `is`. Its inputs are still accepted. */
const inputNames = { is: 'type' }

/**
 * Parses the input of a call. Reports all problems at once, by path. Never repeats a value that was sent: it
 * may be a
 * secret, or text that is meant to instruct a model.
 */
export function parseInput<Input>(schema: z.ZodType<Input>, raw: unknown, example?: object): Input {
  if (!isSmall(raw))
    throw invalid([`more than ${mostCharacters} characters or ${mostValues} values`], example)
  const parsed = schema.safeParse(upgradeNames(raw ?? {}, inputNames))
  if (parsed.success) return parsed.data
  throw invalid(
    parsed.error.issues.slice(0, 5).map((issue) => {
      const path = issue.path.map(String).join('.').slice(0, 100) || 'the input'
      return issue.code === 'unrecognized_keys'
        ? `${path}: ${unknownFields(issue.keys)}`
        : `${path}: ${issue.message}`
    }),
    example,
  )
}

/**
 * Names unknown fields that look like identifiers. Other field names may be instructions and are not
 * repeated.
 */
function unknownFields(keys: readonly string[]): string {
  const names = keys.filter((key) => /^[a-zA-Z][a-zA-Z0-9_]{0,31}$/.test(key)).slice(0, 5)
  if (names.length === 0) return 'unknown fields'
  return `unknown field${names.length === 1 ? '' : 's'}: ${names.join(', ')}`
}

/** Whether a value is small enough to parse. Stops at the limit. */
function isSmall(raw: unknown): boolean {
  const queue: unknown[] = [raw]
  let [characters, values] = [0, 0]
  while (queue.length > 0) {
    const value = queue.pop()
    values += 1
    if (typeof value === 'string') characters += value.length
    if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value).slice(0, mostValues + 1)) {
        characters += key.length
        queue.push(inner)
      }
    }
    if (characters > mostCharacters || values + queue.length > mostValues) return false
  }
  return true
}

function invalid(details: readonly string[], example: object | undefined): BardoError {
  return new BardoError('The tool’s arguments are invalid.', {
    code: 'INVALID_INPUT',
    details,
    remedy: example
      ? `Use arguments such as ${JSON.stringify(example)}`
      : 'Read the tool’s input schema and call it again.',
    docsPath: 'tools.md#input-rules',
  })
}
