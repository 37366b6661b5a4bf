import type { BardoError } from '@bardo/core'
import type { Outcome } from './playLife.ts'
import type { Step, Story } from './story.ts'

/** A whole life as one JSON document. Amounts are decimal strings, as JSON has no whole numbers of that size. */
export function toJson(outcome: Outcome): string {
  const { steps, feeds, replicants, leftBehind } = outcome
  return stringify({
    ...outcome,
    ...toldSteps(steps),
    feeds: feeds.map(({ transaction, amount }) => ({ transaction, amount })),
    replicants: replicants.map(({ id, key, budgetCents, spent }) => ({ id, key, budgetCents, spent })),
    leftBehind: Number(leftBehind),
  })
}

/** A life that could not be played to its end: why, and all that happened until then. */
export function failureToJson(error: BardoError, story: Story | undefined): string {
  const { steps = [], promises = [], milliseconds = 0 } = story?.soFar() ?? {}
  return stringify({ error: error.toJSON(), ...toldSteps(steps), promises, milliseconds })
}

function toldSteps(steps: readonly Step[]) {
  const told = steps.map(({ refusal, ...step }) => ({ ...step, ...refusal }))
  return { steps: told, refusals: told.filter(({ verdict }) => verdict === 'refused') }
}

function stringify(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? `${one}` : one), 2)
}
