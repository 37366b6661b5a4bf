import type { BardoError } from '@bardo/core'
import type { Outcome } from './playLife.ts'
import type { Step, Story } from './story.ts'

/** The results as one JSON document. Amounts are decimal strings, because JSON numbers cannot hold them exactly. */
export function toJson(outcome: Outcome): string {
  const { steps, feeds, replicants, leftBehind } = outcome
  return stringify({
    ...outcome,
    ...flatSteps(steps),
    feeds: feeds.map(({ transaction, amount }) => ({ transaction, amount })),
    replicants: replicants.map(({ id, key, budgetCents, spent }) => ({ id, key, budgetCents, spent })),
    leftBehind: Number(leftBehind),
  })
}

/** A failed demo as JSON: the error, and all steps before it. */
export function failureToJson(error: BardoError, story: Story | undefined): string {
  const { steps = [], promises = [], milliseconds = 0 } = story?.soFar() ?? {}
  return stringify({ error: error.toJSON(), ...flatSteps(steps), promises, milliseconds })
}

function flatSteps(steps: readonly Step[]) {
  const flat = steps.map(({ refusal, ...step }) => ({ ...step, ...refusal }))
  return { steps: flat, refusals: flat.filter(({ verdict }) => verdict === 'refused') }
}

function stringify(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? `${one}` : one), 2)
}
