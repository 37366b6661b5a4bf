import { formatDollars, formatLongDuration, formatMinute, type PlanChange } from '@bardo/core'

const phases = ['thriving', 'stable', 'conservation', 'declining', 'terminal']

/** The changes between two plans, as screens use them. */
export type ShownChanges = {
  readonly changes: readonly PlanChange[]
  /** The most that can leave in 24 hours under all signed limits together, in cents; null without a comparison. */
  readonly day: { readonly beforeCents: string; readonly afterCents: string } | null
}

/**
 * The changes that a screen shows. Size, interval and number of actions can keep the money that leaves in a day below the
 * signed daily limit. All screens show that lower amount instead of the limit.
 */
export function shownChanges({ changes, day }: ShownChanges): readonly PlanChange[] {
  // A new signature always starts now: its start is not news.
  const others = changes.filter(({ field }) => field !== 'dayCents' && field !== 'window.start')
  if (!day) return changes
  const { beforeCents: before, afterCents: after } = day
  if (before === after) return others
  const direction = BigInt(after) < BigInt(before) ? 'narrower' : 'wider'
  return [{ field: 'dayCents', before, after, direction }, ...others]
}

/** Plain labels for the sets of a plan. */
const setLabels: Readonly<Record<string, string>> = {
  class: 'action',
  method: 'contract method',
  asset: 'token',
  pair: 'swap',
  target: 'contract',
}

/** `class deposit` becomes `action deposit`; other fields stay. */
function labelOf(field: string): string {
  const [set = '', ...names] = field.split(' ')
  const label = Object.hasOwn(setLabels, set) ? setLabels[set] : undefined
  return label && names.length > 0 ? [label, ...names].join(' ') : field
}

/** A change between two plans as text. */
export function changeText({ field, before, after }: PlanChange): string {
  const [, phase] = /^sizeCents\[(\d)\]$/.exec(field) ?? []
  const say = (label: string, shown: (value: string) => string) =>
    `${label}: ${shown(before)} → ${shown(after)}`
  if (phase !== undefined) return say(`per action while ${phases[Number(phase)]}`, formatDollars)
  switch (field) {
    case 'dayCents':
      return say('in any 24 hours', formatDollars)
    case 'cadenceSeconds':
      return say('least time between actions', (value) => formatLongDuration(Number(value)))
    case 'slippageBps':
      return say('max slippage', (value) => `${Number(value) / 100} %`)
    case 'coSigners':
      return say('co-signers of every action', (value) => value)
    case 'calls':
      return say('total actions', (value) => (value === '0' ? 'unlimited' : value))
    case 'window.start':
      return say('starts', (value) => formatMinute(BigInt(value)))
    case 'window.end':
      return say('expires', (value) => formatMinute(BigInt(value)))
    default:
      return say(labelOf(field), (value) => value)
  }
}
