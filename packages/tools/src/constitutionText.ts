import { z } from 'zod'

/** A Golem's constitution in a tool's result. */
export const constitutionField = z
  .strictObject({
    hash: z.string(),
    isAdopted: z.boolean().describe('Whether the owner’s adopted constitution is the signed one'),
    rules: z.array(z.strictObject({ sentence: z.string(), used: z.string().nullable() })).readonly(),
  })
  .nullable()
  .describe('The signed constitution with what is used of it; null if none is signed')

/** A constitution as text; empty if none is signed. */
export function constitutionText(use: z.output<typeof constitutionField>): string[] {
  if (!use) return []
  const { hash, isAdopted, rules } = use
  return [
    [
      `Constitution ${hash}${isAdopted ? '' : ': the owner has adopted another one, so the Golem does not act'}`,
      ...rules.map(
        ({ sentence, used }) => `  ${used === null ? sentence : `${sentence.replace(/\.$/, '')} (${used}).`}`,
      ),
    ].join('\n'),
  ]
}
