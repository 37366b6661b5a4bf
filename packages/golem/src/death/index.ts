export { deathWords } from './deathWords.ts'
export { writeState } from './writeState.ts'
