export { deathWords } from './deathWords.ts'
export { type Legacy, readLegacy } from './readLegacy.ts'
export { writeState } from './writeState.ts'
