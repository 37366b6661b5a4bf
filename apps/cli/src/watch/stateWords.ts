import type { RosterRow } from './watchState.ts'

/** What a Golem is in a phase, as it is said after “is”. */
export const phaseWords: Readonly<Record<RosterRow['phase'], string>> = {
  thriving: 'thriving',
  stable: 'stable',
  conservation: 'in conservation',
  declining: 'declining',
  terminal: 'in its terminal phase',
}

const statusWords: Readonly<Record<RosterRow['status'], string>> = {
  onboarding: 'being summoned',
  alive: 'alive',
  observing: 'only looking on',
  dying: 'dying',
  dead: 'dead',
}

/** How a Golem is, as it is said after “is”. One that is not alive yet or no more has no phase worth a word. */
export function stateWords(
  status: RosterRow['status'],
  phase: RosterRow['phase'],
): readonly [status: string, phase: string] {
  const hasPhase = status === 'alive' || status === 'observing'
  const join = phaseWords[phase].startsWith('in ') ? ', ' : ' and '
  return [statusWords[status], hasPhase ? `${join}${phaseWords[phase]}` : '']
}
