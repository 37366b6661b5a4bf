import { stateWords } from './stateWords.ts'
import type { Watched } from './watchState.ts'

/** A Golem in one sentence, for those who hear or search it. */
export function sayGolem({ name, status, phase, survivalScore, health }: Watched): string {
  if (status === 'dead') return `${name} is dead.`
  return [
    `${name} is ${stateWords(status, phase).join('')}`,
    ...(survivalScore === null ? [] : [`vitality ${Math.floor(survivalScore / 100)} of 100`]),
    ...(health === null ? [] : [`permission ${health}`]),
  ]
    .join(', ')
    .concat('.')
}
