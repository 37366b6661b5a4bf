import { caveatRegistry, type Explanation, explanationToJson, explanationToText } from '@bardo/core'
import { namesOf } from '@bardo/golem/requests'
import { z } from 'zod'
import { nameAddresses } from './nameAddresses.ts'
import type { ToolContext } from './toolContext.ts'

/**
 * An explanation in a tool's result: which caveat refuses, with which numbers, and what would make it pass.
 */
export const explainedSchema = z.strictObject({
  verdict: z.enum(['passes', 'refused', 'fails', 'unknown']),
  summary: z.string(),
  link: z.number().nullable().describe('The index of the delegation that refuses; 0 is the leaf'),
  caveat: z.string().nullable().describe('The caveat that refuses'),
  error: z.string().nullable().describe('The error of the refusal, with its numbers'),
  remedy: z.string().nullable().describe('What would make it pass'),
  text: z.string().describe('Every link and caveat, one per line'),
})

export type Explained = z.output<typeof explainedSchema>

const verdicts = { pass: 'passes', refuse: 'refused', fails: 'fails', unknown: 'unknown' } as const

/** Converts an explanation to a tool's result. */
export function explained(
  { deployment, book }: Pick<ToolContext, 'deployment' | 'book'>,
  explanation: Explanation,
): Explained {
  const options = { registry: caveatRegistry(deployment), names: namesOf(book) }
  const { type, summary, remedy, links, manager, execution, redemption } = explanationToJson(
    explanation,
    options,
  )
  const refusals = links.flatMap(({ caveats }, link) =>
    caveats.flatMap(({ type: verdict, name, enforcer, error }) =>
      verdict === 'refuse' ? [{ link, caveat: name ?? enforcer, error }] : [],
    ),
  )
  const [first] = type === 'refuse' ? refusals : []
  const error = first?.error ?? manager.error ?? execution.error ?? redemption.error
  return {
    verdict: verdicts[type],
    summary,
    link: first?.link ?? manager.link ?? null,
    caveat: first?.caveat ?? null,
    error: type !== 'pass' && error ? `${error.name}(${error.args.join(', ')})` : null,
    remedy: remedy === undefined ? null : nameAddresses(remedy, options.names),
    text: explanationToText(explanation, options),
  }
}
