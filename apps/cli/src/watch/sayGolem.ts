import { stateWords } from '../text/stateWords.ts'
import type { Watched } from './watchState.ts'

/** A Golem in one sentence, for screen readers and search. */
export function sayGolem({ name, status, paused, phase, survivalScore, health }: Watched): string {
  if (status === 'dead') return `${name} is dead.`
  return [
    `${name} is ${stateWords(status, phase, paused).join('')}`,
    ...(survivalScore === null ? [] : [`vitality ${Math.floor(survivalScore / 100)} of 100`]),
    ...(health === null ? [] : [`permission ${health}`]),
  ]
    .join(', ')
    .concat('.')
}
