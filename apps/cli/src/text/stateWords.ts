import { type DeathTrigger, formatMinute, type Phase } from '@bardo/core'
import { deathWords } from '@bardo/golem/deathWords'
import type { Golem } from '@bardo/store'

/** A phase, as it follows “is”. */
export const phaseWords: Readonly<Record<Phase, string>> = {
  thriving: 'thriving',
  stable: 'stable',
  conservation: 'in conservation',
  declining: 'declining',
  terminal: 'in its terminal phase',
}

const statusWords: Readonly<Record<Golem['status'], string>> = {
  onboarding: 'being summoned',
  alive: 'alive',
  observing: 'in observe-only mode',
  dying: 'dying',
  dead: 'dead',
}

/** A Golem's state, as it follows “is”. The phase is shown only for a Golem that is alive or in observe-only mode. */
export function stateWords(
  status: Golem['status'],
  phase: Phase,
  isPaused = false,
): readonly [status: string, phase: string] {
  const hasPhase = status === 'alive' || status === 'observing'
  const join = phaseWords[phase].startsWith('in ') ? ', ' : ' and '
  return [
    isPaused && hasPhase ? 'paused' : statusWords[status],
    hasPhase ? `${join}${phaseWords[phase]}` : '',
  ]
}

/** When and why a Golem’s shutdown began. */
export function endText({
  because,
  at,
}: {
  readonly because: DeathTrigger
  readonly at: number | null
}): string {
  const when = at === null ? '' : `${formatMinute(at)} UTC: `
  return `${when}${deathWords[because]}`
}
