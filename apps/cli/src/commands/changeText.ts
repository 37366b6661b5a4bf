import type { PlanChange } from '@bardo/core'
import { dollars, duration } from '../office/compiledJson.ts'

const phases = ['thriving', 'stable', 'conservation', 'declining', 'terminal']
const day = (seconds: string) =>
  new Date(Number(seconds) * 1_000).toISOString().slice(0, 16).replace('T', ' ')

/** A change between two plans, for people. */
export function changeText({ field, before, after }: PlanChange): string {
  const [, phase] = /^sizeCents\[(\d)\]$/.exec(field) ?? []
  const say = (label: string, shown: (value: string) => string) =>
    `${label}: ${shown(before)} → ${shown(after)}`
  if (phase !== undefined) return say(`in one action while ${phases[Number(phase)]}`, dollars)
  switch (field) {
    case 'dayCents':
      return say('in any 24 hours', dollars)
    case 'cadenceSeconds':
      return say('between two actions', (value) => duration(Number(value)))
    case 'slippageBps':
      return say('lost in a swap at most', (value) => `${Number(value) / 100} %`)
    case 'window.start':
      return say('from', day)
    case 'window.end':
      return say('until', day)
    default:
      return say(field, (value) => value)
  }
}
