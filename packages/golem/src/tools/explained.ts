import { caveatRegistry } from '@bardo/chain'
import { type Explanation, explanationToJson, explanationToText } from '@bardo/core'
import { z } from 'zod'
import { namesOf } from './namesOf.ts'
import type { ToolContext } from './toolContext.ts'

/** An explanation as tools give it: who refuses, with which numbers, and what would make it pass. */
export const explainedSchema = z.strictObject({
  verdict: z.enum(['passes', 'refused', 'fails', 'unknown']),
  summary: z.string(),
  link: z.number().nullable().describe('Which delegation refuses; 0 is the leaf'),
  caveat: z.string().nullable().describe('Which of its caveats refuses'),
  error: z.string().nullable().describe('The refusal, with its numbers'),
  remedy: z.string().nullable().describe('What would make it pass'),
  text: z.string().describe('Every link and caveat, as lines'),
})

export type Explained = z.output<typeof explainedSchema>

const verdicts = { pass: 'passes', refuse: 'refused', fails: 'fails', unknown: 'unknown' } as const

/** Puts an explanation into a tool's result. */
export function explained(
  { deployment, book }: Pick<ToolContext, 'deployment' | 'book'>,
  explanation: Explanation,
): Explained {
  const options = { registry: caveatRegistry(deployment), names: namesOf(book) }
  const { is, summary, remedy, links, manager, execution, redemption } = explanationToJson(
    explanation,
    options,
  )
  const refusals = links.flatMap(({ caveats }, link) =>
    caveats.flatMap(({ is: said, name, enforcer, error }) =>
      said === 'refuse' ? [{ link, caveat: name ?? enforcer, error }] : [],
    ),
  )
  const [first] = is === 'refuse' ? refusals : []
  const error = first?.error ?? manager.error ?? execution.error ?? redemption.error
  return {
    verdict: verdicts[is],
    summary,
    link: first?.link ?? manager.link ?? null,
    caveat: first?.caveat ?? null,
    error: is !== 'pass' && error ? `${error.name}(${error.args.join(', ')})` : null,
    remedy: remedy ?? null,
    text: explanationToText(explanation, options),
  }
}
